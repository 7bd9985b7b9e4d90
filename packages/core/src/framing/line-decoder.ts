import { characterBorder, isContinuation, utf8Length } from './utf8.ts';

export interface TooLargeLine {
  readonly kind: 'too-large';
  readonly bytes: number;
  readonly limit: number;
  readonly head: string;
  readonly message: string;
}

/** What a line decoder delivers: the text of a line without its line end, or what stands for a line above the limit. */
export type Line = string | TooLargeLine;

export interface LineDecoderOptions {
  readonly maxLineBytes?: number;
  readonly decode?: (bytes: Uint8Array) => string;
}

export interface LineDecoder {
  push(chunk: Uint8Array | string): readonly Line[];
  end(): readonly Line[];
  readonly heldBytes: number;
}

/** Default of `maxLineBytes`. */
export const DEFAULT_MAX_LINE_BYTES = 64 * 1024 * 1024;

const MAX_STRING_LENGTH = 2 ** 29 - 24;
const WINDOW_BYTES = 48 * 1024;
const SMALL_TEXT = 2048;
const LF = 10;
const NO_LINES: readonly Line[] = Object.freeze([]);

const utf8 = /* @__PURE__ */ new TextDecoder('utf-8', { ignoreBOM: true });

/** Creates a decoder that splits at LF only, strips one CR and a BOM at the start, and leaves out blank lines. */
export function createLineDecoder(options: LineDecoderOptions = {}): LineDecoder {
  return new TextLineDecoder(options);
}

class TextLineDecoder implements LineDecoder {
  readonly #limit: number;
  readonly #decode: (bytes: Uint8Array) => string;
  #rest = '';
  #held = 0;
  readonly #carry = new Uint8Array(4);
  #carried = 0;
  #dropped = 0;
  #atStart = true;

  constructor({ maxLineBytes = DEFAULT_MAX_LINE_BYTES, decode = (bytes) => utf8.decode(bytes) }: LineDecoderOptions) {
    if (!(maxLineBytes > 0)) throw new RangeError('maxLineBytes must be above 0');
    this.#limit = Math.min(maxLineBytes, MAX_STRING_LENGTH);
    this.#decode = decode;
  }

  get heldBytes(): number {
    return this.#held;
  }

  push(chunk: Uint8Array | string): readonly Line[] {
    const lines: Line[] = [];
    if (this.#dropped === 0 && this.#held + 3 * chunk.length <= this.#limit) this.#accept(chunk, lines);
    else this.#measure(chunk, lines);
    return lines.length > 0 ? lines : NO_LINES;
  }

  end(): readonly Line[] {
    const lines: Line[] = [];
    this.#endLine(lines);
    this.#atStart = true;
    return lines;
  }

  #accept(chunk: Uint8Array | string, lines: Line[]): void {
    if (typeof chunk === 'string') {
      this.#flushCarry();
      this.#take(chunk, chunk, lines);
      return;
    }
    let at = 0;
    if (this.#carried > 0) {
      while (this.#carried < 4 && isContinuation(chunk[at])) this.#carry[this.#carried++] = chunk[at++] as number;
      this.#held += at;
      if (at < chunk.length || this.#carried === 4) this.#flushCarry();
    }
    const border = characterBorder(chunk, chunk.length);
    while (at < border) {
      const end = border - at > WINDOW_BYTES ? characterBorder(chunk, at + WINDOW_BYTES) : border;
      const window = end - at === chunk.length ? chunk : chunk.subarray(at, end);
      this.#take(this.#decode(window), window, lines);
      at = end;
    }
    this.#held += chunk.length - at;
    while (at < chunk.length) this.#carry[this.#carried++] = chunk[at++] as number;
  }

  #take(text: string, source: Uint8Array | string, lines: Line[]): void {
    let start = 0;
    for (let end; (end = text.indexOf('\n', start)) >= 0; start = end + 1) {
      this.#rest += text.slice(start, end);
      this.#endLine(lines);
    }
    if (typeof source === 'string') {
      this.#rest += text = text.slice(start);
      this.#held += utf8Length(text);
    } else if (start === 0) {
      this.#rest += text;
      this.#held += source.length;
    } else if (start < text.length) {
      const from = text.length === source.length ? start : source.lastIndexOf(LF) + 1;
      this.#held = source.length - from;
      this.#rest = text.length <= SMALL_TEXT ? text.slice(start) : this.#decode(source.subarray(from));
    }
  }

  #flushCarry(): void {
    if (this.#carried > 0) this.#rest += this.#decode(this.#carry.subarray(0, this.#carried));
    this.#carried = 0;
  }

  #measure(chunk: Uint8Array | string, lines: Line[]): void {
    for (let at = 0; at < chunk.length; ) {
      const lf = typeof chunk === 'string' ? chunk.indexOf('\n', at) : chunk.indexOf(LF, at);
      const piece = chunk.slice(at, lf < 0 ? chunk.length : lf);
      const bytes = typeof piece === 'string' ? utf8Length(piece) : piece.length;
      if (this.#dropped === 0 && this.#held + bytes <= this.#limit) this.#accept(piece, lines);
      else {
        if (this.#dropped === 0) {
          this.#dropped = this.#held;
          const length = Math.min(256, Math.floor(this.#limit / 3));
          if (this.#rest.length < length) this.#accept(piece.slice(0, 3 * length + 1), lines);
          this.#flushCarry();
          this.#rest = [...this.#rest.slice(0, length).replace(/[\ud800-\udbff]$/, '')].join('');
          this.#held = 0;
        }
        this.#dropped += bytes;
      }
      if (lf < 0) return;
      this.#endLine(lines);
      at = lf + 1;
    }
  }

  #endLine(lines: Line[]): void {
    this.#flushCarry();
    let line = this.#rest;
    if (this.#atStart && line.charCodeAt(0) === 0xfeff) line = line.slice(1);
    if (this.#dropped > 0) {
      const message = `a line of ${this.#dropped} bytes is above the limit of ${this.#limit}; raise maxLineBytes to receive it`;
      lines.push({ kind: 'too-large', bytes: this.#dropped, limit: this.#limit, head: line, message });
    } else {
      if (line.endsWith('\r')) line = line.slice(0, -1);
      if (line.trim() !== '') lines.push(line);
    }
    this.#rest = '';
    this.#held = this.#dropped = 0;
    this.#atStart = false;
  }
}
