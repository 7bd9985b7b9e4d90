import { cutText, parseJson } from '@proto/core/framing';
import type { RecordingEntry } from '@proto/recording';
import { describeFrame, type Frame, type Members } from '@proto/recording/timeline';
import type { ByteSource } from './byte-source.ts';

/** The content of a frame: its entry, and its message if the line is a JSON object. */
export interface FrameText {
  readonly entry: RecordingEntry;
  readonly message: Members | undefined;
}

// A longer entry is described by its beginning, so that a list of long lines costs little.
const MAX_SUMMARY_BYTES = 64 * 1024;
const MAX_GAP_BYTES = 64 * 1024;
const MAX_RANGE_BYTES = 2 * 2 ** 20;
const MAX_SUMMARIES = 5000;

/** Reads the texts of frames again from their positions in the source. */
export class FrameTexts {
  readonly #source: ByteSource;
  readonly #summaries = new Map<number, string>();
  #last: { readonly index: number; readonly text: FrameText } | undefined;

  constructor(source: ByteSource) {
    this.#source = source;
  }

  /** Reads a whole frame. The last frame that was read is kept in memory. */
  async read(frame: Frame): Promise<FrameText> {
    if (this.#last?.index === frame.index) return this.#last.text;
    const text = this.#parse(await this.#bytes(frame.offset, frame.offset + frame.bytes), frame);
    this.#last = { index: frame.index, text };
    return text;
  }

  /** Describes frames in one line each. Neighbouring frames are read together. */
  async summaries(frames: readonly Frame[]): Promise<readonly string[]> {
    const missing = frames.filter(({ index }) => !this.#summaries.has(index));
    for (const run of runsOf(missing)) {
      const first = run[0] as Frame;
      const last = run.at(-1) as Frame;
      const bytes = await this.#bytes(first.offset, last.offset + Math.min(last.bytes, MAX_SUMMARY_BYTES));
      for (const frame of run) {
        const from = frame.offset - first.offset;
        const own = bytes.subarray(from, from + Math.min(frame.bytes, MAX_SUMMARY_BYTES));
        this.#summaries.set(frame.index, this.#summary(own, frame));
      }
    }
    const found = frames.map(({ index }) => this.#summaries.get(index) ?? '');
    for (const index of this.#summaries.keys()) {
      if (this.#summaries.size <= MAX_SUMMARIES) break;
      this.#summaries.delete(index);
    }
    return found;
  }

  /** Reads the texts that a search looks through: the whole line of a message, or the description of another event. */
  async lines(frames: readonly Frame[]): Promise<ReadonlyMap<number, string>> {
    const lines = new Map<number, string>();
    for (const run of runsOf(frames)) {
      const first = run[0] as Frame;
      const last = run.at(-1) as Frame;
      const bytes = await this.#bytes(first.offset, last.offset + last.bytes);
      for (const frame of run) {
        const from = frame.offset - first.offset;
        const text = this.#parse(bytes.subarray(from, from + frame.bytes), frame);
        lines.set(frame.index, 'line' in text.entry ? text.entry.line : describeFrame(text));
      }
    }
    return lines;
  }

  #summary(bytes: Uint8Array, frame: Frame): string {
    if (bytes.length < frame.bytes) return `${cutText(decode(bytes), 300)}…`;
    const { entry, message } = this.#parse(bytes, frame);
    return describeFrame({ entry, message });
  }

  #parse(bytes: Uint8Array, frame: Frame): FrameText {
    const text = decode(bytes).replace(/\r?\n$/, '');
    // Plain protocol lines have no times.
    const entry = frame.time === undefined ? plainEntry(text, frame) : parsedEntry(text, frame);
    return { entry, message: 'line' in entry ? membersOf(entry.line) : undefined };
  }

  async #bytes(from: number, to: number): Promise<Uint8Array> {
    const first = await this.#source.read(from, to);
    if (first.length >= to - from || first.length === 0) return first;
    // For a long range, the server returns only a part.
    const all = new Uint8Array(to - from);
    all.set(first);
    for (let at = first.length; at < all.length; ) {
      const more = await this.#source.read(from + at, to);
      if (more.length === 0) break;
      all.set(more, at);
      at += more.length;
    }
    return all;
  }
}

function runsOf(frames: readonly Frame[]): readonly (readonly Frame[])[] {
  const runs: Frame[][] = [];
  for (const frame of frames) {
    const run = runs.at(-1);
    const first = run?.[0];
    const last = run?.at(-1);
    const isNear =
      first !== undefined &&
      last !== undefined &&
      last.bytes <= MAX_SUMMARY_BYTES &&
      frame.offset >= last.offset &&
      frame.offset - (last.offset + last.bytes) < MAX_GAP_BYTES &&
      frame.offset - first.offset < MAX_RANGE_BYTES;
    if (isNear) run?.push(frame);
    else runs.push([frame]);
  }
  return runs;
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

function parsedEntry(text: string, frame: Frame): RecordingEntry {
  const entry = membersOf(text);
  // A line that is not an entry was counted as lost, with its beginning.
  if (entry === undefined || frame.kind === 'lost') return plainLoss(text, frame);
  return entry as unknown as RecordingEntry;
}

function plainEntry(text: string, frame: Frame): RecordingEntry {
  if (frame.kind === 'lost') return plainLoss(text, frame);
  return { t: Number.NaN, dir: frame.dir ?? 'from-agent', line: text };
}

function plainLoss(text: string, frame: Frame): RecordingEntry {
  const known = membersOf(text);
  if (typeof known?.['lost'] === 'string') return known as unknown as RecordingEntry;
  return {
    t: frame.time ?? Number.NaN,
    dir: frame.dir ?? 'from-agent',
    lost: frame.name.replace('lost/', ''),
    excerpt: text,
  };
}

function membersOf(text: string): Members | undefined {
  try {
    const value: unknown = parseJson(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : undefined;
  } catch {
    return undefined;
  }
}
