import { createLineDecoder, cutText, JsonDepthError, type Line, parseJson } from '@proto/core/framing';
import { splitAtNul } from '@proto/core/internal';
import { isRecord, type Members } from '../parsers/members.ts';
import { jsonWithoutTerminal, withoutByteOrderMark } from '../parsers/terminal.ts';

/** A line that yields no event. */
export interface MalformedLine {
  /** The number of the line, counted from 1, including blank lines. */
  readonly lineNo: number;
  /**
   * Why the line yields no event. `not-an-event` means that the line is an object, but not a record of the format. `invalid-event` means that the
   * parser threw.
   */
  readonly reason: 'not-json' | 'not-an-object' | 'not-an-event' | 'invalid-event' | 'too-large' | 'too-deep';
  /** The beginning of the line, at most 200 characters. Do not write the preview to a log, because it is output of the agent. */
  readonly preview: string;
  readonly bytes: number;
}

/** A line that is not blank. */
export type DecodedLine = { readonly lineNo: number; readonly line: string } & (
  | { readonly record: Members; readonly malformed?: undefined }
  | { readonly record?: undefined; readonly malformed: MalformedLine }
);

const PREVIEW_LENGTH = 200;
const LF = 10;

export function malformedLine(lineNo: number, line: string, reason: MalformedLine['reason']): MalformedLine {
  const bytes = new TextEncoder().encode(line).length;
  return { lineNo, reason, preview: cutText(line, PREVIEW_LENGTH), bytes };
}

/** Splits output into lines, parses each line as an object, and counts lines and bytes. */
export class RecordDecoder {
  readonly #decoder;
  #lineNo = 0;
  #isMidLine = false;
  #bytes = 0;
  #lines = 0;

  constructor(maxLineBytes?: number) {
    this.#decoder = createLineDecoder(maxLineBytes === undefined ? {} : { maxLineBytes });
  }

  get counts(): { readonly bytes: number; readonly lines: number; readonly blank: number } {
    return { bytes: this.#bytes, lines: this.#lines, blank: this.#lineNo - this.#lines };
  }

  *push(chunk: Uint8Array | string): Generator<DecodedLine> {
    this.#bytes += typeof chunk === 'string' ? new TextEncoder().encode(chunk).length : chunk.length;
    // The decoder leaves out blank lines, so it is given one line at a time: the line numbers must include blank lines.
    for (let at = 0, end: number; at < chunk.length; at = end) {
      end = (typeof chunk === 'string' ? chunk.indexOf('\n', at) : chunk.indexOf(LF, at)) + 1;
      if (end === 0) {
        end = chunk.length;
        this.#isMidLine = true;
        this.#decoder.push(chunk.slice(at));
      } else {
        this.#isMidLine = false;
        this.#lineNo++;
        yield* this.#decode(this.#decoder.push(chunk.slice(at, end)));
      }
    }
  }

  /** Returns the last line if it has no line end. */
  *end(): Generator<DecodedLine> {
    if (this.#isMidLine) this.#lineNo++;
    this.#isMidLine = false;
    yield* this.#decode(this.#decoder.end());
  }

  *#decode([line]: readonly Line[]): Generator<DecodedLine> {
    if (line === undefined) return;
    const lineNo = this.#lineNo;
    this.#lines++;
    if (typeof line !== 'string') {
      const { head, bytes } = line;
      const malformed = { lineNo, reason: 'too-large', preview: cutText(head, PREVIEW_LENGTH), bytes } as const;
      return yield { lineNo, line: head, malformed };
    }
    const value = parse(line);
    // A line that contains only terminal escapes is treated as blank.
    if (value === BLANK) this.#lines--;
    else if (value !== undefined) yield toDecoded(lineNo, line, value);
    else {
      for (const part of splitAtNul(line)) {
        const partValue = parse(part);
        if (partValue !== BLANK) yield toDecoded(lineNo, part, partValue);
      }
    }
  }
}

const BLANK = Symbol('blank');
const TOO_DEEP = Symbol('too deep');

function toDecoded(lineNo: number, line: string, value: unknown): DecodedLine {
  if (isRecord(value)) return { lineNo, line, record: value };
  const reason = value === TOO_DEEP ? 'too-deep' : value === undefined ? 'not-json' : 'not-an-object';
  return { lineNo, line, malformed: malformedLine(lineNo, line, reason) };
}

function parse(text: string): unknown {
  const line = withoutByteOrderMark(text);
  const value = jsonOf(line);
  if (value !== undefined) return value;
  const plain = jsonWithoutTerminal(line);
  if (plain === undefined) return undefined;
  return plain.trim() === '' ? BLANK : jsonOf(plain);
}

function jsonOf(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    return error instanceof JsonDepthError ? TOO_DEEP : undefined;
  }
}
