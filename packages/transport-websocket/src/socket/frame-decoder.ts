import { createLineDecoder, type Line, type LineDecoder, type LineDecoderOptions } from '@proto/core/framing';

const LF = 10;
const BLANK = 32;
const QUOTE = 34;
const BACKSLASH = 92;
// The code of a closing bracket is the code of its opening bracket plus 2.
const BRACKET = 91;
const BRACE = 123;

const encoder = new TextEncoder();

const DEFAULT_MAX_FRAME_LINES = 100_000;

export interface FrameDecoderOptions extends LineDecoderOptions {
  /** How many lines a frame may contain. Default 100 000. */
  readonly maxFrameLines?: number | undefined;
}

export interface FrameDecoder {
  /** Returns the lines that are complete after this frame. A frame with too many lines is not split, and the result is `undefined`. */
  push(frame: string | ArrayBuffer | Uint8Array): readonly Line[] | undefined;
}

/**
 * A frame contains one or more lines, and its last line may lack the line end. Some peers split a line over several frames. The text after the last
 * line end shows which case applies, because the beginning of a JSON object is never a whole object. The text is a line if its brackets are closed,
 * or if it does not begin like an object. Otherwise the text is kept for the next frame. The cost is linear, no matter how lines are split.
 */
export function createFrameDecoder(options: FrameDecoderOptions): FrameDecoder {
  return new LineCutter(options);
}

class LineCutter implements FrameDecoder {
  readonly #decoder: LineDecoder;
  readonly #maxFrameLines: number;
  readonly #line = new UnfinishedLine();

  constructor(options: FrameDecoderOptions) {
    this.#decoder = createLineDecoder(options);
    this.#maxFrameLines = options.maxFrameLines ?? DEFAULT_MAX_FRAME_LINES;
  }

  push(frame: string | ArrayBuffer | Uint8Array): readonly Line[] | undefined {
    const chunk = frame instanceof ArrayBuffer ? new Uint8Array(frame) : frame;
    if (hasMoreLines(chunk, this.#maxFrameLines)) return undefined;
    const lf = typeof chunk === 'string' ? chunk.lastIndexOf('\n') : chunk.lastIndexOf(LF);
    if (lf >= 0) this.#line.begin();
    if (lf === chunk.length - 1) return this.#decoder.push(chunk);
    const rest = typeof chunk === 'string' ? encoder.encode(chunk.slice(lf + 1)) : chunk.subarray(lf + 1);
    if (!this.#line.isWholeWith(rest)) return this.#decoder.push(chunk);
    this.#line.begin();
    // The line end is added in the same call. In a separate call, the decoder would first measure the rest, which takes longer than this whole
    // method.
    if (typeof chunk === 'string') return this.#decoder.push(`${chunk}\n`);
    return [...this.#decoder.push(chunk), ...this.#decoder.push('\n')];
  }
}

class UnfinishedLine {
  #depth = 0;
  #isQuoted = false;
  #isEscaped = false;

  begin(): void {
    this.#depth = 0;
    this.#isQuoted = this.#isEscaped = false;
  }

  /**
   * Reads more of the line. Returns whether the line would be complete if it ended after these bytes. Bytes need not be decoded, because only ASCII
   * characters matter.
   */
  isWholeWith(bytes: Uint8Array): boolean {
    // Local variables are used because writing to fields at each byte takes three times as long.
    let depth = this.#depth;
    let isClosed = false;
    let at = this.#isQuoted ? this.#afterString(bytes, 0) : 0;
    for (; at < bytes.length; at++) {
      const byte = bytes[at] as number;
      if (byte === QUOTE && depth > 0) at = this.#afterString(bytes, at + 1) - 1;
      else if (byte === BRACKET || byte === BRACE) depth++;
      else if (depth === 0) {
        if (byte > BLANK) return true;
      } else if (byte === BRACKET + 2 || byte === BRACE + 2) isClosed = --depth === 0;
    }
    this.#depth = depth;
    return isClosed && depth === 0;
  }

  /** Returns the end of the text if the string is not closed. */
  #afterString(bytes: Uint8Array, from: number): number {
    let isEscaped = this.#isEscaped;
    this.#isQuoted = false;
    this.#isEscaped = false;
    for (let at = from; at < bytes.length; at++) {
      const byte = bytes[at];
      if (isEscaped) isEscaped = false;
      else if (byte === BACKSLASH) isEscaped = true;
      else if (byte === QUOTE) return at + 1;
    }
    this.#isQuoted = true;
    this.#isEscaped = isEscaped;
    return bytes.length;
  }
}

/**
 * Whether a frame has more line ends than `limit`. Stops counting at the limit, because splitting a frame that consists only of line ends would take
 * a second.
 */
function hasMoreLines(chunk: string | Uint8Array, limit: number): boolean {
  if (chunk.length <= limit) return false;
  const next = (from: number) => (typeof chunk === 'string' ? chunk.indexOf('\n', from) : chunk.indexOf(LF, from));
  let count = 0;
  for (let at = next(0); at >= 0; at = next(at + 1)) if (++count > limit) return true;
  return false;
}
