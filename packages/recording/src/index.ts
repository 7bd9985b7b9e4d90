export type { MatchMode } from './frame-match.ts';
export { type RecordOptions, recordTransport } from './record-transport.ts';
export {
  type Direction,
  parseRecording,
  type RecordedClose,
  type RecordedEnd,
  type RecordedLine,
  type RecordedLink,
  type RecordedNotice,
  type RecordedLoss,
  type Recording,
  type RecordingEntry,
  type RecordingHeader,
  type Side,
} from './recording.ts';
export { createReplay, type Replay, replay, type ReplayOptions } from './replay.ts';
export {
  createRedactor,
  REDACTED,
  type RedactedLine,
  type Redactor,
  type RedactorOptions,
} from './redaction/redactor.ts';
export type { Span } from './redaction/secret-shapes.ts';
