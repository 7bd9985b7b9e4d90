export type { CleanUp, ExitReason } from './ending.ts';
export type { HeadlessEnvironment, HeadlessStart } from './environment.ts';
export { cliError, cliOk, type ExitOptions } from './exit.ts';
export type {
  FlagOptions,
  HeadlessOptions,
  HeadlessRunTurn,
  HeadlessTurn,
  JsonObject,
  OutputFormat,
} from './options.ts';
export { PROTOCOL_VERSION } from './protocol-version.ts';
export { runHeadless } from './run-headless.ts';
export type { SignalSource } from './signals.ts';
