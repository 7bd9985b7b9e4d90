export type { CleanUp, ExitReason } from './ending.ts';
export { stateDirectory } from './environment-variables.ts';
export type { HeadlessAgentOptions, HeadlessEnvironment, HeadlessProcess, HeadlessStart } from './environment.ts';
export { cliError } from './exit-code.ts';
export {
  type FlagOptions,
  type HeadlessOptions,
  type HeadlessRunTurn,
  type HeadlessTurn,
  type JsonObject,
  type OutputFormat,
  PROTOCOL_VERSION,
} from './flags/options.ts';
export { parseArgv, type ParsedArgv, type ProgramHelp } from './flags/parse-argv.ts';
export type { SettingsSource } from './flags/settings.ts';
export { promptMessages, readPrompt } from './input.ts';
export { type Collector, createCollector, type FinalOutput } from './output/formats.ts';
export { redirectStdout } from './output/redirect-stdout.ts';
export { runHeadless } from './run-headless.ts';
export type { MissingSession, OpenedSession, OpenSession, SessionPlace } from './sessions/opened-session.ts';
export { createStoredSessions, type StoredSession, type StoredSessions } from './sessions/stored-sessions.ts';
export type { SignalSource } from './signals.ts';
