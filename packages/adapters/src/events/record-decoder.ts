import { createLineDecoder, type Line } from '@proto/core/framing';
import { isRecord, type Members } from '../parsers/members.ts';
import { jsonWithoutTerminal, withoutByteOrderMark } from '../parsers/terminal.ts';

/** A line that gave no event. */
export interface MalformedLine {
  /** Counted from 1, blank lines included. */
  readonly lineNo: number;
  /** `not-an-event`: an object, but no record of the format. `invalid-event`: the parser failed on it. */
  readonly reason: 'not-json' | 'not-an-object' | 'not-an-event' | 'invalid-event' | 'too-large';
  /** Its beginning, at most 200 characters. It holds what the agent wrote: no text for a log. */
  readonly preview: string;
  readonly bytes: number;
}

/** One line that is not blank. */
export type DecodedLine = { readonly lineNo: number; readonly line: string } & (
  | { readonly record: Members; readonly malformed?: undefined }
  | { readonly record?: undefined; readonly malformed: MalformedLine }
);

const PREVIEW_LENGTH = 200;
const LF = 10;

/** Tells what is wrong with a line. */
export function malformedLine(lineNo: number, line: string, reason: MalformedLine['reason']): MalformedLine {
  const bytes = new TextEncoder().encode(line).length;
  return { lineNo, reason, preview: line.slice(0, PREVIEW_LENGTH), bytes };
}

/** Cuts output into lines and parses each as an object; counts what it sees. */
export class RecordDecoder {
  readonly #decoder;
  #lineNo = 0;
  #midLine = false;
  #bytes = 0;
  #lines = 0;

  constructor(maxLineBytes?: number) {
    this.#decoder = createLineDecoder(maxLineBytes === undefined ? {} : { maxLineBytes });
  }

  /** What came so far. */
  get counts(): { readonly bytes: number; readonly lines: number; readonly blank: number } {
    return { bytes: this.#bytes, lines: this.#lines, blank: this.#lineNo - this.#lines };
  }

  /** The lines a chunk completes. */
  *push(chunk: Uint8Array | string): Generator<DecodedLine> {
    this.#bytes += typeof chunk === 'string' ? new TextEncoder().encode(chunk).length : chunk.length;
    // Line by line, because the decoder leaves blank ones out and people look for lines by number.
    for (let at = 0, end: number; at < chunk.length; at = end) {
      end = (typeof chunk === 'string' ? chunk.indexOf('\n', at) : chunk.indexOf(LF, at)) + 1;
      if (end === 0) {
        end = chunk.length;
        this.#midLine = true;
        this.#decoder.push(chunk.slice(at));
      } else {
        this.#midLine = false;
        this.#lineNo++;
        yield* this.#decode(this.#decoder.push(chunk.slice(at, end)));
      }
    }
  }

  /** The last line, if it had no line end. */
  *end(): Generator<DecodedLine> {
    if (this.#midLine) this.#lineNo++;
    this.#midLine = false;
    yield* this.#decode(this.#decoder.end());
  }

  *#decode([line]: readonly Line[]): Generator<DecodedLine> {
    if (line === undefined) return;
    const lineNo = this.#lineNo;
    this.#lines++;
    if (typeof line !== 'string') {
      const { head, bytes } = line;
      const malformed = { lineNo, reason: 'too-large', preview: head.slice(0, PREVIEW_LENGTH), bytes } as const;
      return yield { lineNo, line: head, malformed };
    }
    const value = parse(line);
    // What only steers a terminal is as good as blank.
    if (value === BLANK) this.#lines--;
    else if (isRecord(value)) yield { lineNo, line, record: value };
    else {
      const reason = value === undefined ? 'not-json' : 'not-an-object';
      yield { lineNo, line, malformed: malformedLine(lineNo, line, reason) };
    }
  }
}

const BLANK = Symbol('blank');

function parse(text: string): unknown {
  const line = withoutByteOrderMark(text);
  const value = parseJson(line);
  if (value !== undefined) return value;
  const plain = jsonWithoutTerminal(line);
  if (plain === undefined) return undefined;
  return plain.trim() === '' ? BLANK : parseJson(plain);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
