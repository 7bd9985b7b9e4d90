export type { MemberDifference } from './compare-values.ts';
export {
  type DiffCounts,
  type DifferingFrame,
  type DiffOptions,
  diffRecordings,
  type RecordingDiff,
  type RecordingDifference,
} from './diff-recordings.ts';
export { type RecordingText, recordingText } from './recording-text.ts';
export { steadyValue, type SteadyValue } from './steady-values.ts';
