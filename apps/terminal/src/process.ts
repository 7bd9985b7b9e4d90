/**
 * What every command at a terminal needs: signals, exit codes, texts and files. This entry loads no code for sessions, so that a command starts fast.
 */
export { refuseBytes, refuseFile, type WantedFile, WrongFileError } from './files/peek-file.ts';
export { type FileNote } from './files/file-note.ts';
export { errorLine, type ErrorReport } from './process/error-line.ts';
export { EXIT, exitCodeOf } from './process/exit-code.ts';
export { fileReason, messageFor } from './process/file-reason.ts';
export { createLog, type Log, type LogEntry, LOG_LEVELS, type LogLevel, type LogOptions } from './process/log.ts';
export { adviceOn, openToOthers } from './process/private-file.ts';
export {
  onInterrupts,
  onSignals,
  type Signal,
  type SignalSource,
  type StopSignals,
  stopSignals,
} from './process/signals.ts';
export {
  durationOf,
  type ListenAddress,
  parseDuration,
  parseListenAddress,
  parseRetention,
  parseSize,
  type Retention,
} from './process/units.ts';
export { plain } from './view/terminal-text.ts';
export { openPrivateFile } from '@proto/recording/node';
