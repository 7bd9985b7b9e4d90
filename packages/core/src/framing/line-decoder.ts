import { byteLength, characterBorder, isContinuation } from './utf8.ts';

/** A line without its line end, or a description of a line that exceeds the limit. */
export type Line = string | TooLargeLine;

/** A line that exceeds the limit. The bytes of the line were dropped when they arrived. */
export interface TooLargeLine {
  /** Distinguishes this object from a string. */
  readonly kind: 'too-large';
  /** The size of the whole line without its LF. */
  readonly bytes: number;
  /** The limit that was exceeded. */
  readonly limit: number;
  /** The beginning of the line: at most 256 whole characters. */
  readonly head: string;
}

/** The options of `createLineDecoder` and `decodeLines`. */
export interface LineDecoderOptions {
  /**
   * The maximum length of a line, in bytes without its LF. Default 64 MiB. With `Infinity`, the limit is the longest string that V8 supports, nearly
   * 512 MiB.
   */
  readonly maxLineBytes?: number;
  /**
   * Decodes whole UTF-8 characters. The function must return the same text as a `TextDecoder` with `ignoreBOM`, must never throw, and must not keep a
   * reference to the bytes. Default: a `TextDecoder` with `ignoreBOM`.
   */
  readonly decode?: (bytes: Uint8Array) => string;
}

/** Splits a stream of bytes or text into lines. The lines do not depend on how the stream was split into chunks. */
export interface LineDecoder {
  /** Reads a chunk and returns the lines that it completes. Keeps no reference to the chunk. */
  push(chunk: Uint8Array | string): readonly Line[];
  /** Returns the last line, if it has no line end. Afterwards, the decoder can be used for another stream. */
  end(): readonly Line[];
  /** How many bytes of the unfinished line are in memory. Never above the limit, and 0 while a line that exceeds the limit is being dropped. */
  readonly heldBytes: number;
}

/** The default of `maxLineBytes`, 64 MiB. */
export const DEFAULT_MAX_LINE_BYTES = 2 ** 26;

/**
 * Creates a decoder that splits only at LF, strips one CR from each line, and ignores a BOM at the start and lines that contain only spaces, tabs and
 * CR.
 *
 * @example
 * ```ts
 * import { createLineDecoder } from '@proto/core/framing';
 *
 * const decoder = createLineDecoder({ maxLineBytes: 1024 * 1024 });
 * for (const chunk of ['{"type":"a"}\n{"ty', 'pe":"b"}\n']) {
 *   for (const line of decoder.push(chunk)) console.log(line);
 * }
 * ```
 */
export function createLineDecoder(options?: LineDecoderOptions): LineDecoder {
  return new Utf8LineDecoder(options);
}

// V8's longest string has 2 ** 29 - 24 units. The remaining units leave room to find the head of a line that exceeds this limit.
const MOST_LINE_BYTES = 2 ** 29 - 2048;
// V8 decodes 6 times slower into strings of 128 KB and more (large object space), and text with characters outside Latin-1 counts double.
const WINDOW_BYTES = 48 * 1024;
// Used for lines that are so long that they must be joined from several windows anyway: if each chunk is a line of 100 KB, decoding takes 5 % less
// time (F1).
const LONG_WINDOW_BYTES = 120 * 1024;
// If a text is not longer than this, its remainder may keep the whole text in memory, because decoding the remainder again costs more than it saves.
// Programs with small buffers write 4 KB at a time. Keeping the text for a read of this size saves a tenth of the time in Bun, and in Node for
// non-ASCII text.
const SMALL_TEXT = 4096;
// Chunks up to this size are collected and decoded together, once `LONG_LINE` bytes of a line have arrived: calling the decoder for each chunk takes
// longer than all other work. Lines of 100 KB in chunks of 64 bytes take a quarter less time (F1). For shorter lines, collecting costs more than it
// saves.
const SMALL_CHUNK = 128;
const LONG_LINE = 256;
const COLLECTED_BYTES = 2048;
const LF = 10;
const NO_LINES: readonly Line[] = Object.freeze([]);
const utf8 = /* @__PURE__ */ new TextDecoder('utf-8', { ignoreBOM: true });
const decodeUtf8 = (bytes: Uint8Array): string => utf8.decode(bytes);
// The buffer for the bytes of one character, before the first byte arrives.
const NO_BYTES = /* @__PURE__ */ new Uint8Array(0);

// Two states: holding a line (#bytes <= #limit, #rest is its text) and dropping one (#bytes > #limit, #rest is its head).
class Utf8LineDecoder implements LineDecoder {
  readonly #limit: number;
  readonly #decode: (bytes: Uint8Array) => string;
  #lines: Line[] | undefined;
  // The text of the unfinished line. V8 stores it as a rope, so that appending takes linear time.
  #rest = '';
  // The size of the unfinished line so far, including #carry.
  #bytes = 0;
  // Bytes that are not decoded yet: small chunks of a long line, and the beginning of a character whose other bytes have not arrived. The buffer is
  // created for the first such byte: an idle session has none, and a buffer took 200 bytes.
  #carry = NO_BYTES;
  // The memory of `#carry` as 32-bit words, created once chunks are collected.
  #words: Uint32Array | undefined;
  #carried = 0;
  #window = WINDOW_BYTES;
  #atStart = true;

  constructor({ maxLineBytes, decode = decodeUtf8 }: LineDecoderOptions = {}) {
    // Not `??`: with NaN, which `Number(undefined)` returns, every comparison would be false and lines would be lost.
    this.#limit = Math.min(maxLineBytes || DEFAULT_MAX_LINE_BYTES, MOST_LINE_BYTES);
    this.#decode = decode;
  }

  get heldBytes(): number {
    return this.#bytes > this.#limit ? 0 : this.#bytes;
  }

  push(chunk: Uint8Array | string): readonly Line[] {
    // A UTF-16 unit has at most 3 bytes. As long as the unfinished line and the chunk together are within the limit, lines need not be measured.
    if (this.#bytes + 3 * chunk.length <= this.#limit) this.#accept(chunk);
    else this.#measure(chunk);
    const lines = this.#lines ?? NO_LINES;
    this.#lines = undefined;
    return lines;
  }

  end(): readonly Line[] {
    this.#endLine('');
    this.#atStart = true;
    // Returns the line that `#endLine` has added.
    return this.push('');
  }

  // The usual chunk is decoded as a whole: for small chunks, the calls into V8 dominate the cost, and `subarray` would be one more call.
  #accept(chunk: Uint8Array | string): void {
    if (typeof chunk === 'string') {
      this.#flushCarry();
      this.#take(chunk, chunk);
    } else if (chunk.length <= SMALL_CHUNK && this.#bytes >= LONG_LINE) this.#collect(chunk);
    else if (this.#carried === 0 && chunk.length <= WINDOW_BYTES && (chunk[chunk.length - 1] as number) < 0x80) {
      this.#take(this.#decode(chunk), chunk);
    } else this.#acceptPieces(chunk);
  }

  // Kept separate from `#accept`, so that V8 inlines the code that runs for every chunk.
  #acceptPieces(chunk: Uint8Array): void {
    let at = 0;
    if (this.#carried > 0) {
      while (at < 3 && isContinuation(chunk[at])) this.#carry[this.#carried++] = chunk[at++] as number;
      this.#bytes += at;
      if (at < chunk.length) this.#flushCarry();
      // The chunk contained only continuation bytes. The next chunk may also contain only such bytes, and `#carry` must not overflow.
      else if (this.#carried > 4) this.#flushCharacters();
    }
    // Chunks are cut at character borders instead of using `stream: true`, which decodes ASCII 7 times slower.
    for (let end; at < (end = characterBorder(chunk, Math.min(chunk.length, at + this.#window))); at = end) {
      const window = chunk.subarray(at, end);
      const text = this.#decode(window);
      this.#take(text, window);
      const lf = text.indexOf('\n');
      this.#window =
        text.length === window.length && (lf < 0 || lf > WINDOW_BYTES / 2) ? LONG_WINDOW_BYTES : WINDOW_BYTES;
    }
    this.#bytes += chunk.length - at;
    if (at < chunk.length && this.#carry === NO_BYTES) this.#carry = new Uint8Array(8);
    while (at < chunk.length) this.#carry[this.#carried++] = chunk[at++] as number;
  }

  #take(text: string, source: Uint8Array | string): void {
    let start = 0;
    // Searches the text instead of the bytes, because `String.indexOf` is 25 times faster than `Uint8Array.indexOf`.
    for (let end; start < text.length && (end = text.indexOf('\n', start)) >= 0; start = end + 1) {
      // The usual case: the whole line is in this text. Its first and last characters are read from the text, because Bun copies a slice before
      // reading from it.
      if (this.#bytes === 0 && !this.#atStart && text.charCodeAt(start) > 32) {
        this.#add(text.slice(start, text.charCodeAt(end - 1) === 13 ? end - 1 : end));
      } else this.#endLine(text.slice(start, end));
    }
    if (start === text.length) return;
    let rest = text.slice(start);
    if (typeof source === 'string') this.#bytes += byteLength(rest);
    else {
      // If the text has as many units as the source has bytes, each unit is one byte, and positions are the same in both.
      const from = text.length === source.length ? start : start && source.lastIndexOf(LF) + 1;
      this.#bytes += source.length - from;
      // A slice keeps its whole text in memory: 48 KB for each idle session.
      if (start > 0 && text.length > SMALL_TEXT) rest = this.#decode(source.subarray(from));
    }
    this.#rest += rest;
  }

  /** Adds a small chunk to `#carry`. Decodes `#carry` only if it is full, or if the chunk contains an LF. */
  #collect(chunk: Uint8Array): void {
    if (this.#words === undefined) {
      const carry = new Uint8Array(COLLECTED_BYTES);
      this.#words = new Uint32Array(carry.buffer);
      carry.set(this.#carry);
      this.#carry = carry;
    } else if (this.#carried + chunk.length > COLLECTED_BYTES - 3) this.#flushCharacters();
    this.#carry.set(chunk, this.#carried);
    const words = this.#words;
    let at = this.#carried >> 2;
    this.#carried += chunk.length;
    this.#bytes += chunk.length;
    for (const end = (this.#carried + 3) >> 2; at < end; at++) {
      // A byte of `word` is 0 at the position of an LF. The expression below is nonzero only if `word` has such a byte. An LF from an earlier chunk
      // may follow the last byte; it only costs time.
      const word = (words[at] as number) ^ 0x0a0a0a0a;
      if (((word - 0x01010101) & ~word & 0x80808080) !== 0) return this.#flushCharacters();
    }
  }

  /** Decodes the whole characters in `#carry`, which may include line ends. */
  #flushCharacters(): void {
    const carried = this.#carried;
    const end = characterBorder(this.#carry, carried);
    const source = this.#carry.subarray(0, end);
    this.#bytes -= carried;
    this.#carried = 0;
    this.#take(this.#decode(source), source);
    this.#carry.copyWithin(0, end, carried);
    this.#carried = carried - end;
    this.#bytes += carried - end;
  }

  #flushCarry(): void {
    if (this.#carried > 0) this.#rest += this.#decode(this.#carry.subarray(0, this.#carried));
    this.#carried = 0;
  }

  // Exact but slow: measures line by line, in bytes. An over-long line is dropped piece by piece, as it arrives.
  #measure(chunk: Uint8Array | string): void {
    let at = 0;
    do {
      const lf = typeof chunk === 'string' ? chunk.indexOf('\n', at) : chunk.indexOf(LF, at);
      const piece = chunk.slice(at, lf < 0 ? undefined : lf);
      const bytes = this.#bytes + byteLength(piece);
      if (bytes <= this.#limit) this.#accept(piece);
      else {
        if (this.#bytes <= this.#limit) this.#keepHead(piece);
        this.#bytes = bytes;
      }
      at = lf + 1;
      if (at > 0) this.#endLine('');
    } while (at > 0);
  }

  // At least `limit` bytes of an over-long line have arrived, so a head with a quarter as many characters does not depend on where the input was
  // split.
  #keepHead(piece: Uint8Array | string): void {
    const length = Math.min(256, this.#limit >> 2);
    this.#accept(piece.slice(0, 4 * length));
    this.#flushCarry();
    // Cut by characters, and joined from an array because a slice would keep the whole line in memory.
    this.#rest = Array.from(this.#rest.slice(0, 2 * length))
      .slice(0, length)
      .join('');
  }

  #endLine(text: string): void {
    this.#flushCarry();
    let line: Line = this.#rest + text;
    if (this.#atStart && line.charCodeAt(0) === 0xfeff) line = line.slice(1);
    if (this.#bytes > this.#limit) line = { kind: 'too-large', bytes: this.#bytes, limit: this.#limit, head: line };
    else if (line.charCodeAt(line.length - 1) === 13) line = line.slice(0, -1);
    if (typeof line !== 'string' || line.charCodeAt(0) > 32 || /[^ \t\r]/.test(line)) {
      this.#add(line);
    }
    this.#rest = '';
    this.#bytes = 0;
    this.#atStart = false;
  }

  #add(line: Line): void {
    if (this.#lines) this.#lines.push(line);
    // `push` is not used on an empty array: V8 would reserve 17 elements, which is measurable with one line per chunk.
    else this.#lines = [line];
  }
}

/**
 * Yields the lines of a source one by one, including a last line without a line end. Leaving the loop closes the source. If the source throws, the
 * error is thrown after the preceding lines. The line that was cut off is not delivered.
 */
export async function* decodeLines(
  source: AsyncIterable<Uint8Array | string>,
  options?: LineDecoderOptions,
): AsyncGenerator<Line, void, undefined> {
  const decoder = createLineDecoder(options);
  for await (const chunk of source) yield* decoder.push(chunk);
  yield* decoder.end();
}
