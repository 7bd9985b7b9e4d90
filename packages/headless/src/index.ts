export type { CleanUp, ExitReason } from './ending.ts';
export type { HeadlessEnvironment, HeadlessSeams, HeadlessStart } from './environment.ts';
export { cliError, cliOk, type ExitOptions } from './exit.ts';
export { type Collector, createCollector, type FinalOutput } from './formats.ts';
export { promptMessages, readPrompt } from './input.ts';
export { DEFAULT_MAX_MIRROR_BYTES } from './mirror/mirror-limit.ts';
export type { MissingSession, OpenedSession, OpenSession, SessionPlace } from './opened-session.ts';
export type {
  FlagOptions,
  HeadlessOptions,
  HeadlessRunTurn,
  HeadlessTurn,
  JsonObject,
  OutputFormat,
} from './options.ts';
export { stateDirectory } from './project-directory.ts';
export { parseArgv, type ParsedArgv, type ProgramHelp } from './parse-argv.ts';
export { PROTOCOL_VERSION } from './protocol-version.ts';
export { DEFAULT_MAX_TRANSCRIPT_BYTES } from './read-transcript.ts';
export { runHeadless } from './run-headless.ts';
export type { SettingsSource } from './settings-source.ts';
export type { SignalSource } from './signals.ts';
export { takeStdout } from './take-stdout.ts';
