/**
 * The lines of the resumable mode:
 * - `{"ack":N,"of":STREAM,"stream":STREAM,"from":N}`: the greeting, the first line of each side on each link. It has all up to N of
 *   that stream of the other side, and what it sends is this stream, from that number on. A log that outlives its readers has no name
 * - `{"id":N,"source":WHO,"data":MESSAGE}`: a message under its number
 * - `{"ack":N}`: all up to N has arrived; also a sign of life
 * - `{"end":N}`: nothing will follow N
 */
export type NumberedLine =
  | { readonly kind: 'message'; readonly id: number; readonly source: string | undefined; readonly text: string }
  | Hello
  | { readonly kind: 'end'; readonly end: number };

/** An acknowledgement; the first one on a link is the greeting. */
export interface Hello {
  readonly kind: 'ack';
  readonly ack: number;
  readonly of: string | undefined;
  readonly stream: string | undefined;
  readonly from: number;
}

// The message is cut out as it is: it need not be parsed to be handed on, and comes byte for byte.
const MESSAGE = /^\{"id":(\d{1,15})(?:,"source":("(?:[^"\\]|\\.)*"))?,"data":/;

/** Reads a line of the resumable mode; undefined for what is none. */
export function parseNumberedLine(line: string): NumberedLine | undefined {
  const [head, id, source] = MESSAGE.exec(line) ?? [];
  if (head !== undefined) {
    if (!line.endsWith('}')) return undefined;
    const text = line.slice(head.length, -1);
    return { kind: 'message', id: Number(id), source: source && parse(source), text };
  }
  const { ack, of, stream, from, end } = Object(parse(line)) as Readonly<Record<string, unknown>>;
  if (isCount(ack)) return { kind: 'ack', ack, of: nameOf(of), stream: nameOf(stream), from: isCount(from) ? from : 0 };
  return isCount(end) ? { kind: 'end', end } : undefined;
}

/** The number of a message of which only the beginning is known. */
export function idOf(head: string): number | undefined {
  const [, id] = /^\{"id":(\d{1,15}),/.exec(head) ?? [];
  return id === undefined ? undefined : Number(id);
}

/** A message under its number, as a line. */
export function messageLine(id: number, text: string): string {
  return `{"id":${id},"data":${text}}\n`;
}

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
