/** What every command of a terminal needs, apart from sessions, so that its start loads little. */
export { errorLine, type ErrorReport } from './errors/error-line.ts';
export { durationOf, parseDuration } from './run/duration.ts';
export { EXIT, exitCodeOf } from './run/exit-code.ts';
export { onInterrupts } from './run/interrupts.ts';
export { adviceOn, openPrivateFile, openToOthers } from './run/private-file.ts';
export { onSignals, type Signal, type SignalSource } from './run/signals.ts';
export { plain } from './view/plain.ts';
