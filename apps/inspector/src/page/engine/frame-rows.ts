import type { Frame, Span, Timeline } from '@proto/recording/timeline';

/** A span of a frame, in the form that the list shows. */
export interface RowSpan {
  readonly index: number;
  readonly kind: Span['kind'];
  readonly name: string;
  readonly status: Span['status'];
  readonly outcome: string;
  /** The duration in milliseconds; undefined while the span is open, and for lines without times. */
  readonly durationMs: number | undefined;
  /** Whether the span begins with the frame. Otherwise, the span ends with the frame. */
  readonly begins: boolean;
  /** The frame at the opposite end of the span; undefined while the span is open. */
  readonly partner: number | undefined;
}

/** A frame, in the form that the list shows. */
export interface FrameRow {
  readonly index: number;
  readonly time: number | undefined;
  readonly dir: Frame['dir'];
  readonly kind: Frame['kind'];
  readonly name: string;
  readonly check: Frame['check'];
  readonly unmatched: boolean;
  readonly bytes: number;
  readonly summary: string;
  readonly spans: readonly RowSpan[];
  /** The number of spans that contain the frame, such as 2 for a tool call in a turn. */
  readonly depth: number;
}

const MAX_SPANS = 20;
const MAX_DEPTH = 8;

export function rowOf(timeline: Timeline, frame: Frame, summary: string): FrameRow {
  const { index, time, dir, kind, name, check, unmatched, bytes } = frame;
  const spans = spansOf(timeline, frame);
  return { index, time, dir, kind, name, check, unmatched, bytes, summary, spans, depth: depthOf(timeline, frame) };
}

/** The spans that begin or end with a frame, at most 20. */
export function spansOf(timeline: Timeline, frame: Frame): readonly RowSpan[] {
  const spans: RowSpan[] = [];
  for (const span of timeline.begunBy(frame)) {
    if (spans.length === MAX_SPANS) return spans;
    spans.push(rowSpan(timeline, span, true));
  }
  for (const span of timeline.endedBy(frame)) {
    if (spans.length === MAX_SPANS) return spans;
    spans.push(rowSpan(timeline, span, false));
  }
  return spans;
}

function rowSpan(timeline: Timeline, span: Span, begins: boolean): RowSpan {
  const { index, kind, name, status, outcome, first, last } = span;
  const partner = begins ? last : first;
  return { index, kind, name, status, outcome, durationMs: timeline.durationOf(span), begins, partner };
}

function depthOf(timeline: Timeline, { within }: Frame): number {
  let depth = 0;
  for (let at = within; at !== undefined && depth < MAX_DEPTH; depth++) at = timeline.span(at).parent;
  return depth;
}
