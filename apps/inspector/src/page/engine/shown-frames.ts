import { type FrameFilter, FrameFilterError, parseFrameFilter, type Timeline } from '@proto/recording/timeline';
import { pause } from './byte-source.ts';
import type { FrameTexts } from './frame-texts.ts';

const STEP = 2000;
const TEXT_STEP = 200;

/** The numbers of the frames that pass the filter, in order. Without a filter, the list contains all frames. */
export class ShownFrames {
  readonly #timeline: Timeline;
  readonly #texts: FrameTexts;
  readonly #onChange: () => void;
  #filter: FrameFilter | undefined;
  #needsText = false;
  #found = new Int32Array(1024);
  #count = 0;
  #looked = 0;
  #isLooking = false;
  #run = 0;

  constructor(timeline: Timeline, texts: FrameTexts, onChange: () => void) {
    this.#timeline = timeline;
    this.#texts = texts;
    this.#onChange = onChange;
  }

  get length(): number {
    return this.#filter === undefined ? this.#timeline.length : this.#count;
  }

  /** Whether some frames have not been filtered yet. */
  get isLooking(): boolean {
    return this.#filter !== undefined && this.#looked < this.#timeline.length;
  }

  /** The memory used by the list, in bytes. */
  get indexBytes(): number {
    return this.#found.byteLength;
  }

  /** The number of the frame at a position in the list. */
  at(place: number): number {
    return this.#filter === undefined ? place : (this.#found[place] as number);
  }

  /** The position of a frame in the list, or the position that it would have. */
  placeOf(index: number): number {
    if (this.#filter === undefined) return index;
    let [low, high] = [0, this.#count];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#found[middle] as number) < index) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Sets the filter. For a malformed filter, returns the problem and keeps the previous filter. */
  filter(text: string): { readonly message: string; readonly position: number } | undefined {
    let filter: FrameFilter | undefined;
    try {
      filter = text.trim() === '' ? undefined : parseFrameFilter(text);
    } catch (error) {
      if (error instanceof FrameFilterError) return { message: error.message, position: error.position };
      throw error;
    }
    this.#filter = filter;
    this.#count = 0;
    this.#looked = 0;
    this.#run++;
    this.look();
    return undefined;
  }

  /** Filters the frames that have arrived since the previous call. */
  look(): void {
    if (this.#filter === undefined || this.#isLooking) return;
    this.#isLooking = true;
    void this.#lookOn().finally(() => (this.#isLooking = false));
  }

  async #lookOn(): Promise<void> {
    while (this.#filter !== undefined && this.#looked < this.#timeline.length) {
      const run = this.#run;
      const isDone = await this.#lookAt(this.#filter, this.#looked, run);
      if (run !== this.#run) continue;
      this.#looked = isDone;
      this.#onChange();
      await pause();
    }
  }

  /** Filters some frames. Returns the number of the first frame that was not filtered yet. */
  async #lookAt(filter: FrameFilter, from: number, run: number): Promise<number> {
    const step = this.#needsText ? TEXT_STEP : STEP;
    const to = Math.min(this.#timeline.length, from + step);
    const frames = Array.from({ length: to - from }, (_, at) => this.#timeline.frame(from + at));
    // The filter needs a frame's text only if its other terms match, so only these texts are read.
    const asked = new Set<number>();
    const passed = frames.filter((frame) =>
      filter(this.#timeline, frame, () => {
        asked.add(frame.index);
        return '';
      }),
    );
    if (asked.size === 0) {
      if (run === this.#run) for (const { index } of passed) this.#add(index);
      return to;
    }
    this.#needsText = true;
    const texts = await this.#texts.lines(frames.filter(({ index }) => asked.has(index)));
    if (run !== this.#run) return from;
    for (const frame of frames) {
      if (filter(this.#timeline, frame, () => texts.get(frame.index) ?? '')) this.#add(frame.index);
    }
    return to;
  }

  #add(index: number): void {
    if (this.#count === this.#found.length) {
      const longer = new Int32Array(this.#found.length * 2);
      longer.set(this.#found);
      this.#found = longer;
    }
    this.#found[this.#count++] = index;
  }
}
