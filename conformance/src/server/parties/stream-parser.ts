import { parseJson } from '@proto/core/framing';
import type { StreamFrame } from '../observed.ts';

export interface StreamParts {
  onFrame(frame: StreamFrame): void;
  onComment(text: string): void;
  onCarriageReturn(): void;
}

/** Parses an event stream. Also accepts lines that end with CRLF, and reports them to `onCarriageReturn`. */
export class StreamParser {
  readonly #parts: StreamParts;
  #pieces: string[] = [];
  #event: string | undefined;
  #id: string | undefined;
  #lines: string[] = [];

  constructor(parts: StreamParts) {
    this.#parts = parts;
  }

  push(text: string): void {
    const lines = text.split('\n');
    // A long line arrives in many pieces, so it is joined only once.
    for (const line of lines.slice(0, -1)) {
      this.#line([...this.#pieces, line].join(''));
      this.#pieces = [];
    }
    this.#pieces.push(lines.at(-1) ?? '');
  }

  #line(written: string): void {
    const line = written.replace(/\r$/, '');
    if (line !== written) this.#parts.onCarriageReturn();
    if (line === '') this.#end();
    else if (line.startsWith(':')) this.#parts.onComment(line.slice(1));
    else this.#field(line);
  }

  #field(line: string): void {
    const colon = line.indexOf(':');
    const name = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (name === 'event') this.#event = value;
    if (name === 'id') this.#id = value;
    if (name === 'data') this.#lines.push(value);
  }

  #end(): void {
    const [event, id, lines] = [this.#event, this.#id, this.#lines];
    this.#event = this.#id = undefined;
    this.#lines = [];
    // The end of a comment does not end a frame.
    if (event === undefined && id === undefined && lines.length === 0) return;
    this.#parts.onFrame({ event, id, lines, data: dataOf(lines), at: performance.now() });
  }
}

function dataOf(lines: readonly string[]): unknown {
  try {
    return parseJson(lines.join('\n'));
  } catch {
    return undefined;
  }
}
