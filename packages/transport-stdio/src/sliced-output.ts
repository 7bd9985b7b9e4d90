import { Writable } from 'node:stream';

/** How much one slice holds by default, in UTF-16 code units. */
export const DEFAULT_SLICE_LENGTH = 2000;

/**
 * Makes an output for readers that choke on long writes, such as some terminals: what is written to it goes on to `stream` in
 * slices of at most `maxLength`, in order and with nothing between them. A slice does not end within a surrogate pair, since each
 * one is encoded by itself. Ending or destroying it does the same to `stream`. Throws `RangeError` below a length of 2.
 */
export function slicedOutput(stream: Writable, maxLength: number = DEFAULT_SLICE_LENGTH): Writable {
  if (!(maxLength >= 2)) throw new RangeError(`a slice holds at least 2 code units, not ${maxLength}`);
  const output = new Writable({
    decodeStrings: false,
    write(chunk: string | Uint8Array, encoding, done) {
      if (typeof chunk !== 'string') return void stream.write(chunk, done);
      let start = 0;
      for (let end = endOf(chunk, start, maxLength); end < chunk.length; end = endOf(chunk, start, maxLength)) {
        stream.write(chunk.slice(start, end), encoding);
        start = end;
      }
      stream.write(chunk.slice(start), encoding, done);
    },
    final(done) {
      stream.end(() => done());
    },
    destroy(error, done) {
      stream.destroy();
      done(error);
    },
  });
  stream.on('error', (error) => output.destroy(error));
  return output;
}

function endOf(text: string, start: number, maxLength: number): number {
  const end = start + maxLength;
  const last = text.charCodeAt(end - 1);
  return end < text.length && last >= 0xd800 && last <= 0xdbff ? end - 1 : end;
}
