import { parseJson } from '@proto/core/framing';
import type { PathPattern } from '../path-pattern.ts';
import { parseEntry, type RecordingEntry } from '../recording.ts';
import { PAGE_ROWS, Pages } from '../timeline/columns.ts';
import { readEntries, type ReadEntriesOptions } from '../timeline/read-entries.ts';
import { Timeline } from '../timeline/timeline.ts';
import { keyOf } from './frame-key.ts';
import type { RecordingText } from './recording-text.ts';

/** The part of a recording that a frame belongs to: the host's lines, the agent's lines, events of the connection and the server, or the Messages API. */
export type Lane = 'from-host' | 'from-agent' | 'events' | 'exchanges';

/** A frame, without its text. */
export interface IndexedFrame {
  /** Counted from 1. */
  readonly number: number;
  readonly lane: Lane;
  /** The name of the message as `type` or `type/subtype`, or the name of the event. */
  readonly name: string;
  /** The turn that the frame belongs to, or else the last turn before the frame, counted from 1. 0 before the first turn. */
  readonly turn: number;
}

// The length of the excerpt that is shown if a line cannot be read.
const MAX_EXCERPT_BYTES = 200;

/** Creates the columns of the frames, with 20 bytes for each frame in addition to the columns of the timeline. */
const createPage = () => ({
  key: new Float64Array(PAGE_ROWS),
  kind: new Float64Array(PAGE_ROWS),
  turn: new Uint32Array(PAGE_ROWS),
});

export class FrameIndex {
  readonly #text: RecordingText;
  readonly #timeline = new Timeline();
  readonly #pages = new Pages('frame', createPage);
  #isRecording: boolean | undefined;
  #turns = 0;

  private constructor(text: RecordingText) {
    this.#text = text;
  }

  static async of(
    text: RecordingText,
    ignored: readonly PathPattern[],
    options: ReadEntriesOptions,
  ): Promise<FrameIndex> {
    const index = new FrameIndex(text);
    for await (const { entry, offset, bytes } of readEntries(text.bytes(), options)) {
      // Plain lines of the protocol have no times.
      index.#isRecording ??= !Number.isNaN(entry.t);
      index.#add(entry, { offset, bytes }, ignored);
    }
    return index;
  }

  get length(): number {
    return this.#timeline.length;
  }

  get turns(): number {
    return this.#turns;
  }

  /** The indexes of the frames of a lane, in order. */
  framesOf(lane: Lane): Uint32Array {
    const frames = new Uint32Array(this.length);
    let length = 0;
    for (let index = 0; index < this.length; index++) if (this.#laneOf(index) === lane) frames[length++] = index;
    return frames.slice(0, length);
  }

  /** Frames with equal content have the same key. */
  keyOf(index: number): number {
    const { page, row } = this.#pages.get(index);
    return page.key[row] as number;
  }

  /** Frames with the same kind of message have the same key. */
  kindOf(index: number): number {
    const { page, row } = this.#pages.get(index);
    return page.kind[row] as number;
  }

  frame(index: number): IndexedFrame {
    const { page, row } = this.#pages.get(index);
    const { name } = this.#timeline.frame(index);
    return { number: index + 1, lane: this.#laneOf(index), name, turn: page.turn[row] as number };
  }

  async entry(index: number): Promise<RecordingEntry> {
    const { offset, bytes, dir = 'from-agent', kind } = this.#timeline.frame(index);
    const t = Number.NaN;
    if (kind === 'lost') {
      const excerpt = await this.#text.read(offset, Math.min(bytes, MAX_EXCERPT_BYTES));
      return { t, dir, lost: 'malformed', excerpt: new TextDecoder().decode(excerpt) };
    }
    const line = new TextDecoder().decode(await this.#text.read(offset, bytes));
    return this.#isRecording === true ? (parseEntry(line, index + 1) as RecordingEntry) : { t, dir, line };
  }

  #add(entry: RecordingEntry, place: { offset: number; bytes: number }, ignored: readonly PathPattern[]): void {
    const { message, name, dir, firstBegun, begun } = this.#timeline.push(entry, place);
    for (const { kind } of this.#timeline.begunBy({ firstBegun, begun })) if (kind === 'turn') this.#turns++;
    const { page, row } = this.#pages.add();
    page.key[row] = keyOf(
      [name, dir, message ?? comparedPart(entry)],
      ignored.map((path) => ['2', ...path]),
    );
    page.kind[row] = keyOf(name, []);
    page.turn[row] = this.#turns;
  }

  #laneOf(index: number): Lane {
    const { dir, kind } = this.#timeline.frame(index);
    return dir ?? (kind === 'api' ? 'exchanges' : 'events');
  }
}

/** Returns the part of an entry that is compared: the message in its line, or the members of an event without the time and the position in a log. */
export function comparedPart(entry: RecordingEntry): unknown {
  if (!('line' in entry)) return { ...entry, t: undefined, cursor: undefined, redacted: undefined };
  try {
    return parseJson(entry.line);
  } catch {
    return entry.line;
  }
}
