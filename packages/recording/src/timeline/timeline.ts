import type { RecordingEntry } from '../recording.ts';
import { type Frame, FrameTable } from './frame-table.ts';
import { Names } from './columns.ts';
import type { Members } from './members.ts';
import { readEntry } from './read-entry.ts';
import { type Span, SpanTable } from './span-table.ts';
import { SpanTracker } from './span-tracker.ts';

/** Where the text of an entry is, for a reader that reads texts again. */
export interface TextPlace {
  /** The position of the first byte in the file. */
  readonly offset: number;
  /** The length of the text in bytes, without its line end. */
  readonly bytes: number;
}

/** A frame at the moment of its arrival. Only this object refers to the message, so the message does not stay in memory. */
export interface PushedFrame extends Frame {
  /** The JSON of the line, not checked; undefined for an event, and for a line that is not an object. */
  readonly message: Members | undefined;
}

/** Counts of a timeline. */
export interface TimelineCounts {
  /** All frames. */
  readonly frames: number;
  /** Frames whose `check` is `invalid`, except lost lines. */
  readonly invalid: number;
  /** Frames whose `check` is `unknown`. */
  readonly unknown: number;
  /** Frames that answer, end or withdraw something that is not open. */
  readonly unmatched: number;
  /** Lines that framing lost. */
  readonly lost: number;
  /** The number of times that the link broke. */
  readonly linksDown: number;
}

/** The cursors of the log of a server, as far as the recording has them. */
export interface TimelineCursors {
  /** The cursor of the last notice that had one. */
  readonly last: string | undefined;
  /** The frames after which messages may be missing: the link came back without a resume, or the log of the server no longer had them. At most 10 000. */
  readonly gaps: readonly number[];
}

// With this notice a server reports that its log no longer has the events after the cursor of a viewer.
const TRUNCATED = 'catch_up_truncated';
const MAX_GAPS = 10_000;

/**
 * Turns the entries of a session into frames and spans, one entry at a time: which answer belongs to which request, which frames make a turn,
 * which tool call had which result. It keeps 41 bytes for each frame, 22 for each span, and no text. No call throws because of what a peer sent.
 */
export class Timeline {
  readonly #names = new Names();
  readonly #frames = new FrameTable(this.#names);
  readonly #spans = new SpanTable(this.#names);
  readonly #tracker = new SpanTracker(this.#spans);
  readonly #counts = { invalid: 0, unknown: 0, unmatched: 0, lost: 0, linksDown: 0 };
  readonly #gaps: number[] = [];
  #cursor: string | undefined;

  /** Takes the next entry of a recording. An entry without a place has the offset 0 and 0 bytes. */
  push(entry: RecordingEntry, { offset, bytes }: TextPlace = { offset: 0, bytes: 0 }): PushedFrame {
    const facts = readEntry(entry);
    const { dir, message } = facts;
    const index = this.#frames.length;
    const firstBegun = this.#spans.length;
    const changes =
      message === undefined || dir === undefined
        ? { within: undefined, firstEnded: undefined, unmatched: false }
        : this.#tracker.follow(index, dir, message);
    const begun = this.#spans.length - firstBegun;
    const { within, firstEnded, unmatched } = changes;
    // No object is spread here: Node 20 copies one in 2 to 6 us, which was more than half of the time of a frame.
    this.#frames.add(facts, { offset, bytes }, { within, firstEnded, unmatched, firstBegun, begun });
    this.#locate(index, entry);
    const frame = this.#frames.get(index);
    this.#count(frame);
    return Object.assign(frame, { message });
  }

  /** The number of frames. */
  get length(): number {
    return this.#frames.length;
  }

  /** The number of spans. */
  get spanCount(): number {
    return this.#spans.length;
  }

  /** The counts of the frames so far. */
  get counts(): TimelineCounts {
    return { frames: this.length, ...this.#counts };
  }

  /** The cursors of the log of a server, so far. */
  get cursors(): TimelineCursors {
    return { last: this.#cursor, gaps: this.#gaps };
  }

  /** The memory of the index in bytes, without the names. */
  get indexBytes(): number {
    return this.#frames.indexBytes + this.#spans.indexBytes;
  }

  /** Returns a frame by its number, counted from 0. @throws {RangeError} if the frame does not exist. */
  frame(index: number): Frame {
    return this.#frames.get(index);
  }

  /** Returns a span by its number, counted from 0. @throws {RangeError} if the span does not exist. */
  span(index: number): Span {
    return this.#spans.get(index);
  }

  /** The open spans, the oldest first: requests without an answer, and work that is still running. At most 100 000 of each kind are kept. */
  *open(): Generator<Span, void, undefined> {
    for (const index of this.#spans.open) yield this.#spans.get(index);
  }

  /** The spans that begin with a frame. */
  *begunBy({ firstBegun, begun }: Pick<Frame, 'firstBegun' | 'begun'>): Generator<Span, void, undefined> {
    for (let index = firstBegun; index < firstBegun + begun; index++) yield this.#spans.get(index);
  }

  /** The spans that end with a frame, the last one first. */
  *endedBy({ firstEnded }: Pick<Frame, 'firstEnded'>): Generator<Span, void, undefined> {
    for (let index = firstEnded; index !== undefined; ) {
      const span = this.#spans.get(index);
      yield span;
      index = span.nextEnded;
    }
  }

  /** How long a span took, in milliseconds; undefined while it is open, and for lines without times. */
  durationOf({ first, last }: Pick<Span, 'first' | 'last'>): number | undefined {
    const from = this.#frames.timeOf(first);
    const to = last === undefined ? undefined : this.#frames.timeOf(last);
    return from === undefined || to === undefined ? undefined : to - from;
  }

  #locate(index: number, entry: RecordingEntry): void {
    if ('notice' in entry && entry.cursor !== undefined) this.#cursor = entry.cursor;
    const isGap = 'notice' in entry ? entry.notice === TRUNCATED : 'link' in entry && entry.resumed === false;
    if (isGap && this.#gaps.length < MAX_GAPS) this.#gaps.push(index);
  }

  #count({ check, unmatched, kind, name }: Frame): void {
    const counts = this.#counts;
    if (check === 'invalid' && kind === 'message') counts.invalid++;
    if (check === 'unknown') counts.unknown++;
    if (unmatched) counts.unmatched++;
    if (kind === 'lost') counts.lost++;
    if (name === 'link/down') counts.linksDown++;
  }
}
