export { type DescribedFrame, describeFrame } from './describe-frame.ts';
export { type FrameFilter, FrameFilterError, parseFrameFilter } from './frame-filter.ts';
export type { Frame, FrameCheck, FrameKind } from './frame-table.ts';
export type { Members } from './members.ts';
export { type PlacedEntry, readEntries, type ReadEntriesOptions } from './read-entries.ts';
export type { Span, SpanKind, SpanStatus } from './span-table.ts';
export { type PushedFrame, type TextPlace, Timeline, type TimelineCounts, type TimelineCursors } from './timeline.ts';
