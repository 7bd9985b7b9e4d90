import type { Span, SpanKind, SpanStatus, Timeline } from '@proto/recording/timeline';

/** The kinds of spans, in the order of their lanes. */
export const LANES: readonly SpanKind[] = ['turn', 'subagent', 'task', 'tool', 'permission', 'request', 'hook', 'mcp'];

/** The content of a part of the timeline. Positions are in milliseconds, or frame numbers if lines have no times. */
export interface SpanView {
  readonly from: number;
  readonly to: number;
  readonly lanes: readonly Lane[];
  /** The number of frames of the host and of the agent in each of 200 equal parts of the view. */
  readonly density: { readonly host: readonly number[]; readonly agent: readonly number[] };
}

/** The spans of one kind. */
export interface Lane {
  readonly kind: SpanKind;
  readonly rows: number;
  readonly bars: readonly Bar[];
}

/** A span, or several spans that are too narrow to be drawn separately. */
export interface Bar {
  readonly from: number;
  readonly to: number;
  readonly row: number;
  readonly status: SpanStatus;
  readonly name: string;
  /** The number of the frame with which the first of the spans begins. */
  readonly first: number;
  readonly count: number;
}

const MAX_ROWS = 4;
const MAX_BARS = 4000;
const DENSITY_PARTS = 200;

/** The axis of a timeline: time if lines have times, otherwise frame numbers. */
export class Axis {
  readonly #timeline: Timeline;
  readonly hasTimes: boolean;

  constructor(timeline: Timeline) {
    this.#timeline = timeline;
    this.hasTimes = timeline.length > 0 && timeline.frame(0).time !== undefined;
  }

  /** The position of a frame. */
  placeOf(index: number): number {
    return this.hasTimes ? (this.#timeline.frame(index).time ?? 0) : index;
  }

  /** The position of the last frame. */
  get end(): number {
    const { length } = this.#timeline;
    return length === 0 ? 0 : Math.max(this.placeOf(length - 1), this.hasTimes ? 1 : length);
  }

  get start(): number {
    return this.#timeline.length === 0 ? 0 : Math.min(this.placeOf(0), 0);
  }

  /** The first frame at or after a position. */
  frameAt(place: number): number {
    let [low, high] = [0, this.#timeline.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.placeOf(middle) < place) low = middle + 1;
      else high = middle;
    }
    return Math.min(low, this.#timeline.length - 1);
  }
}

/** Lays out the spans of a part of the timeline, for a picture of the given width in pixels. */
export function layOutSpans(
  timeline: Timeline,
  { from, to, width }: { from: number; to: number; width: number },
): SpanView {
  const axis = new Axis(timeline);
  const perPixel = (to - from) / Math.max(1, width);
  const lanes = new Map(LANES.map((kind) => [kind, new LaneLayout(kind, perPixel)]));
  for (let index = 0; index < timeline.spanCount; index++) {
    const span = timeline.span(index);
    const begin = axis.placeOf(span.first);
    if (begin > to) break;
    const end = span.last === undefined ? axis.end : axis.placeOf(span.last);
    if (end >= from) lanes.get(span.kind)?.add(span, begin, end);
  }
  const used = [...lanes.values()].map((lane) => lane.lane).filter(({ bars }) => bars.length > 0);
  return { from, to, lanes: used, density: densityOf(timeline, axis, from, to) };
}

type OpenBar = { -readonly [Member in keyof Bar]: Bar[Member] };

class LaneLayout {
  readonly #kind: SpanKind;
  readonly #perPixel: number;
  readonly #bars: OpenBar[] = [];
  /** The last bar of each row. */
  readonly #rows: OpenBar[] = [];

  constructor(kind: SpanKind, perPixel: number) {
    this.#kind = kind;
    this.#perPixel = perPixel;
  }

  add({ status, name, first }: Span, from: number, to: number): void {
    const row = this.#rowFor(from);
    const last = this.#rows[row];
    const isNarrow = (bar: { from: number; to: number }) => bar.to - bar.from < this.#perPixel * 3;
    const touches = last !== undefined && from - last.to < this.#perPixel;
    if (
      last !== undefined &&
      touches &&
      ((isNarrow(last) && isNarrow({ from, to })) || this.#bars.length >= MAX_BARS)
    ) {
      last.to = Math.max(last.to, to);
      last.count++;
      if (status === 'error') last.status = 'error';
      return;
    }
    const bar: OpenBar = { from, to, row, status, name, first, count: 1 };
    this.#bars.push(bar);
    this.#rows[row] = bar;
  }

  get lane(): Lane {
    return { kind: this.#kind, rows: Math.max(1, this.#rows.length), bars: this.#bars };
  }

  #rowFor(from: number): number {
    const free = this.#rows.findIndex((bar) => bar.to <= from);
    if (free !== -1) return free;
    return Math.min(this.#rows.length, MAX_ROWS - 1);
  }
}

function densityOf(timeline: Timeline, axis: Axis, from: number, to: number): SpanView['density'] {
  const host = Array.from({ length: DENSITY_PARTS }, () => 0);
  const agent = Array.from({ length: DENSITY_PARTS }, () => 0);
  if (timeline.length === 0 || to <= from) return { host, agent };
  const first = axis.frameAt(from);
  const last = axis.frameAt(to);
  // A long recording is sampled, because only the shape of the curve matters.
  const step = Math.max(1, Math.floor((last - first) / 20_000));
  for (let index = first; index <= last; index += step) {
    const { dir } = timeline.frame(index);
    const part = Math.floor(((axis.placeOf(index) - from) / (to - from)) * DENSITY_PARTS);
    const counts = dir === 'from-host' ? host : agent;
    if (part >= 0 && part < DENSITY_PARTS) counts[part] = (counts[part] ?? 0) + step;
  }
  return { host, agent };
}
