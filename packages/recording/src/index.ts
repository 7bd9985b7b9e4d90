export { type RecordOptions, recordTransport } from './record/record-transport.ts';
export {
  type Direction,
  parseRecording,
  type RecordedClose,
  type RecordedEnd,
  type RecordedExchange,
  type RecordedLine,
  type RecordedLink,
  type RecordedLoss,
  type RecordedNotice,
  type Recording,
  type RecordingEntry,
  type RecordingHeader,
  type Side,
} from './recording.ts';
export { createEntryRedactor, type EntryRedactor } from './redaction/entry-redactor.ts';
export {
  createRedactor,
  REDACTED,
  type RedactedLine,
  type Redactor,
  type RedactorOptions,
} from './redaction/redactor.ts';
export { redactedPieces } from './redaction/streamed-pieces.ts';
export type { TextRange } from './redaction/key-runs.ts';
export type { MatchMode } from './replay/frame-match.ts';
export { createReplay, type Replay, replay, type ReplayOptions } from './replay/replay.ts';
