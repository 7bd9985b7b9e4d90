import { encodeLine, type Line } from '@proto/core/framing';
import { KEEP_ALIVE } from '@proto/core/internal';

/**
 * The lines of the resumable mode:
 * - `{"ack":N,"of":STREAM,"stream":STREAM,"from":N}`: the greeting, the first line of each side on each link. It has all up to N of
 *   that stream of the other side, and what it sends is this stream, from that number on. A log that outlives its readers has no name;
 *   where it cannot go on behind what the other side has, it says so in `gap`. It may have the type `keep_alive`, and no other line has a type
 * - `{"id":N,"source":WHO,"data":MESSAGE}`: a message under its number; without one it is for those who listen now, and not said again
 * - `{"id":N,"event":NAME,"data":VALUE}`: a notice, news of the session; without a number it is not said again either
 * - `{"ack":N}`: all up to N has arrived; also a sign of life
 * - `{"end":N}`: nothing will follow N
 */
export type NumberedLine = MessageLine | Hello | NoticeLine | { readonly kind: 'end'; readonly end: number };

/** A message, and the number it has where it is kept. */
export interface MessageLine {
  readonly kind: 'message';
  readonly id: number | undefined;
  readonly source: string | undefined;
  /** Undefined for a line that is above the limit, or none of the mode's. */
  readonly text: string | undefined;
}

/** News of the session, and the number it has where the log has it. */
export interface NoticeLine {
  readonly kind: 'notice';
  readonly id: number | undefined;
  readonly event: string;
  readonly data: unknown;
}

/** An acknowledgement; the first one on a link is the greeting. */
export interface Hello {
  readonly kind: 'ack';
  readonly ack: number;
  readonly of: string | undefined;
  readonly stream: string | undefined;
  readonly from: number;
  /** Whether messages before that number are missing. */
  readonly gap: boolean;
}

// The message is cut out as it is: it need not be parsed to be handed on, and comes byte for byte.
const BEGINNING = /^\{(?:"id":(\d{1,15}),)?(?:"source":("(?:[^"\\]|\\.)*"),)?("data":)?/;

/** The longest line that is parsed although it is no message, in UTF-16 units. Greetings, acknowledgements and notices are short. */
const MAX_OTHER_LENGTH = 64 * 1024;

/** Whether a line is one of the mode's. A message of bare lines has a type, and may have members of the same names. */
export function isNumbered(line: Line): boolean {
  const numbered = parseNumberedLine(line);
  return numbered.kind !== 'message' || (numbered.text ?? numbered.id) !== undefined;
}

/** Reads a line of the resumable mode. What is none counts as a message without a text. */
export function parseNumberedLine(line: Line): NumberedLine {
  const isWhole = typeof line === 'string';
  const text = isWhole ? line : line.head;
  const [beginning = '', digits, source, data] = BEGINNING.exec(text) ?? [];
  const id = digits === undefined ? undefined : Number(digits);
  if (isWhole && data !== undefined && line.endsWith('}')) {
    return { kind: 'message', id, source: source && parse(source), text: line.slice(beginning.length, -1) };
  }
  const isShort = isWhole && line.length <= MAX_OTHER_LENGTH;
  const fields = Object(isShort && parse(line)) as Fields;
  const { ack, of, stream, from, gap, event, data: value, end, type } = fields;
  if (type !== undefined && (type !== KEEP_ALIVE || !isCount(ack)))
    return { kind: 'message', id, source: undefined, text: undefined };
  if (isCount(ack)) {
    const counts = { ack, from: isCount(from) ? from : 0, gap: gap !== undefined };
    return { kind: 'ack', of: nameOf(of), stream: nameOf(stream), ...counts };
  }
  if (typeof event === 'string') return { kind: 'notice', id, event, data: value };
  return isCount(end) ? { kind: 'end', end } : { kind: 'message', id, source: undefined, text: undefined };
}

/** News of the session as a line, with its number where the log has it. */
export function noticeLine(id: number | undefined, event: string, data: object): string {
  return encodeLine({ id, event, data });
}

/** A message under its number, as a line. */
export function messageLine(id: number, text: string): string {
  return `{"id":${id},"data":${text}}\n`;
}

/** The same for a message of a log, with who produced it; without a number where it is not kept. */
export function loggedLine(id: number | undefined, source: string, text: string): string {
  return `{${id === undefined ? '' : `"id":${id},`}"source":${JSON.stringify(source)},"data":${text}}\n`;
}

type Fields = Readonly<Record<string, unknown>>;

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function nameOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function parse<T>(json: string): T | undefined {
  try {
    return JSON.parse(json) as T;
  } catch {
    return undefined;
  }
}
