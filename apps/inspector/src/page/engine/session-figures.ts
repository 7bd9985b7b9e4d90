import type { SpanKind, Timeline } from '@proto/recording/timeline';
import { Axis, LANES } from './span-lanes.ts';

/** How long the spans of one kind took, in milliseconds. */
export interface LatencyFigures {
  readonly kind: SpanKind;
  readonly count: number;
  readonly errors: number;
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
  readonly max: number;
  /** The number of the frame with which the slowest span begins. */
  readonly slowest: number;
}

/** Statistics of a session. */
export interface SessionFigures {
  readonly latency: readonly LatencyFigures[];
  /**
   * Spans as points, at most 3000. Each point consists of the position where the span begins, its duration in milliseconds, the number of its lane,
   * and its first frame.
   */
  readonly points: readonly (readonly [place: number, ms: number, lane: number, first: number])[];
  /** What was sent in each of 120 equal parts of the session. */
  readonly throughput: Throughput;
}

/** What each side sent in equal parts of the session. */
export interface Throughput {
  readonly from: number;
  readonly to: number;
  readonly frames: { readonly host: readonly number[]; readonly agent: readonly number[] };
  readonly bytes: { readonly host: readonly number[]; readonly agent: readonly number[] };
}

const MAX_POINTS = 3000;
const PARTS = 120;

/** Measures how long spans took, and how much was sent at which time. */
export function figuresOf(timeline: Timeline): SessionFigures {
  const axis = new Axis(timeline);
  return { ...latencyOf(timeline, axis), throughput: throughputOf(timeline, axis) };
}

function latencyOf(timeline: Timeline, axis: Axis): Pick<SessionFigures, 'latency' | 'points'> {
  const byKind = new Map(LANES.map((kind) => [kind, { ms: [] as number[], errors: 0, slowest: 0, max: -1 }]));
  const points: [number, number, number, number][] = [];
  const step = Math.max(1, Math.ceil(timeline.spanCount / MAX_POINTS));
  for (let index = 0; index < timeline.spanCount; index++) {
    const span = timeline.span(index);
    const ms = timeline.durationOf(span);
    const kind = byKind.get(span.kind);
    if (ms === undefined || kind === undefined) continue;
    kind.ms.push(ms);
    if (span.status === 'error') kind.errors++;
    if (ms > kind.max) Object.assign(kind, { max: ms, slowest: span.first });
    if (index % step === 0) points.push([axis.placeOf(span.first), ms, LANES.indexOf(span.kind), span.first]);
  }
  const latency = LANES.flatMap((kind) => {
    const { ms, errors, slowest } = byKind.get(kind) ?? { ms: [], errors: 0, slowest: 0 };
    const sorted = Float64Array.from(ms).sort();
    const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
    const figures = { kind, count: sorted.length, errors, slowest };
    return sorted.length === 0 ? [] : [{ ...figures, p50: at(0.5), p90: at(0.9), p99: at(0.99), max: at(1) }];
  });
  return { latency, points };
}

function throughputOf(timeline: Timeline, axis: Axis): Throughput {
  const { start: from, end: to } = axis;
  const empty = () => Array.from({ length: PARTS }, () => 0);
  const frames = { host: empty(), agent: empty() };
  const bytes = { host: empty(), agent: empty() };
  for (let index = 0; index < timeline.length; index++) {
    const frame = timeline.frame(index);
    if (frame.dir === undefined) continue;
    const side = frame.dir === 'from-host' ? 'host' : 'agent';
    const place = axis.hasTimes ? (frame.time ?? 0) : index;
    const part = Math.min(PARTS - 1, Math.max(0, Math.floor(((place - from) / (to - from || 1)) * PARTS)));
    frames[side][part] = (frames[side][part] ?? 0) + 1;
    bytes[side][part] = (bytes[side][part] ?? 0) + frame.bytes;
  }
  return { from, to, frames, bytes };
}
