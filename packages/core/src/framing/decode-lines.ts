import { createLineDecoder, type Line, type LineDecoderOptions } from './line-decoder.ts';

type LineResult = IteratorResult<Line, undefined>;

const DONE: LineResult = { done: true, value: undefined };

/**
 * The lines of a source one by one, the unterminated last one included. Leaving the loop closes the source. An error of the
 * source is thrown after the lines before it; what it cut off is not delivered.
 */
export function decodeLines(
  source: AsyncIterable<Uint8Array | string>,
  options?: LineDecoderOptions,
): AsyncIterable<Line> {
  return { [Symbol.asyncIterator]: () => iterateLines(source[Symbol.asyncIterator](), options) };
}

// By hand: an async generator costs twice as much for each line.
function iterateLines(
  chunks: AsyncIterator<Uint8Array | string>,
  options: LineDecoderOptions | undefined,
): AsyncIterator<Line, undefined> {
  const decoder = createLineDecoder(options);
  let lines: readonly Line[] = [];
  let at = 0;
  let ended = false;
  // Calls that wait for the source wait for each other too, so that each gets its own line in order.
  let waiting = 0;
  let turn: Promise<unknown> = Promise.resolve();

  const take = (): LineResult => ({ done: false, value: lines[at++] as Line });
  const pull = async (): Promise<LineResult> => {
    try {
      while (at >= lines.length) {
        if (ended) return DONE;
        const chunk = await chunks.next();
        if (ended) return DONE;
        if (chunk.done) ended = true;
        lines = chunk.done ? decoder.end() : decoder.push(chunk.value);
        at = 0;
      }
      return take();
    } catch (error) {
      ended = true;
      throw error;
    } finally {
      waiting--;
    }
  };
  return {
    next() {
      if (waiting === 0 && at < lines.length) return Promise.resolve(take());
      waiting++;
      const result = turn.then(pull, pull);
      turn = result;
      return result;
    },
    async return() {
      ended = true;
      lines = [];
      await chunks.return?.();
      return DONE;
    },
  };
}
