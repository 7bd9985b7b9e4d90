import { createLineDecoder, type Line, type LineDecoder, type LineDecoderOptions } from './line-decoder.ts';

/**
 * The lines of a source, one by one. Leaving the loop closes the source. An error of the source comes after the lines
 * before it; a line that error cut off is not delivered.
 */
export function decodeLines(
  source: AsyncIterable<Uint8Array | string>,
  options?: LineDecoderOptions,
): AsyncIterable<Line> {
  return {
    [Symbol.asyncIterator]: () => new LineIterator(source[Symbol.asyncIterator](), createLineDecoder(options)),
  };
}

const DONE: IteratorReturnResult<undefined> = { done: true, value: undefined };

// By hand, because an async generator takes twice as long for each line.
class LineIterator implements AsyncIterator<Line, undefined> {
  readonly #source: AsyncIterator<Uint8Array | string>;
  readonly #decoder: LineDecoder;
  #lines: readonly Line[] = [];
  #at = 0;
  #ended = false;
  /** Set while a call waits for the source; later calls wait for it, so that lines keep their order. */
  #pulling: Promise<IteratorResult<Line, undefined>> | undefined;

  constructor(source: AsyncIterator<Uint8Array | string>, decoder: LineDecoder) {
    this.#source = source;
    this.#decoder = decoder;
  }

  next(): Promise<IteratorResult<Line, undefined>> {
    const ready = this.#pulling === undefined ? this.#take() : undefined;
    if (ready !== undefined) return Promise.resolve(ready);
    const before = this.#pulling ?? Promise.resolve();
    const pull = before.then(() => this.#pull(), () => this.#pull());
    const pulling = pull.finally(() => {
      if (this.#pulling === pulling) this.#pulling = undefined;
    });
    this.#pulling = pulling;
    return pulling;
  }

  async return(): Promise<IteratorReturnResult<undefined>> {
    this.#finish([]);
    await this.#source.return?.();
    return DONE;
  }

  async #pull(): Promise<IteratorResult<Line, undefined>> {
    for (;;) {
      const ready = this.#take();
      if (ready !== undefined) return ready;
      let chunk: IteratorResult<Uint8Array | string>;
      try {
        chunk = await this.#source.next();
      } catch (error) {
        this.#finish([]);
        throw error;
      }
      if (this.#ended) continue;
      if (chunk.done === true) this.#finish(this.#decoder.end());
      else this.#lines = this.#decoder.push(chunk.value);
      this.#at = 0;
    }
  }

  #take(): IteratorResult<Line, undefined> | undefined {
    const value = this.#lines[this.#at];
    if (value === undefined) return this.#ended ? DONE : undefined;
    this.#at++;
    return { done: false, value };
  }

  #finish(lines: readonly Line[]): void {
    this.#ended = true;
    this.#lines = lines;
    this.#at = 0;
  }
}
