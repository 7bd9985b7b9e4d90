/**
 * The lines of the resumable mode:
 * - `{"ack":N,"of":STREAM,"stream":STREAM,"from":N}`: the greeting, the first line of each side on each link. It has all up to N of
 *   that stream of the other side, and what it sends is this stream, from that number on. A log that outlives its readers has no name;
 *   where it cannot go on behind what the other side has, it says so in `gap`
 * - `{"id":N,"source":WHO,"data":MESSAGE}`: a message under its number; without one it is for those who listen now, and not said again
 * - `{"event":NAME,"data":VALUE}`: something said beside the messages
 * - `{"ack":N}`: all up to N has arrived; also a sign of life
 * - `{"end":N}`: nothing will follow N
 */
export type NumberedLine =
  | MessageLine
  | Hello
  | { readonly kind: 'notice'; readonly event: string; readonly data: unknown }
  | { readonly kind: 'end'; readonly end: number };

/** A message, and the number it has where it is kept. */
export interface MessageLine {
  readonly kind: 'message';
  readonly id: number | undefined;
  readonly source: string | undefined;
  readonly text: string;
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
const MESSAGE = /^\{(?:"id":(\d{1,15}),)?(?:"source":("(?:[^"\\]|\\.)*"),)?"data":/;

/** Reads a line of the resumable mode; undefined for what is none. */
export function parseNumberedLine(line: string): NumberedLine | undefined {
  const [head, id, source] = MESSAGE.exec(line) ?? [];
  if (head !== undefined) {
    if (!line.endsWith('}')) return undefined;
    const text = line.slice(head.length, -1);
    return { kind: 'message', id: id === undefined ? undefined : Number(id), source: source && parse(source), text };
  }
  const { ack, of, stream, from, gap, event, data, end } = Object(parse(line)) as Readonly<Record<string, unknown>>;
  if (isCount(ack)) {
    const counts = { ack, from: isCount(from) ? from : 0, gap: gap !== undefined };
    return { kind: 'ack', of: nameOf(of), stream: nameOf(stream), ...counts };
  }
  if (typeof event === 'string') return { kind: 'notice', event, data };
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

/** The same for a message of a log, with who produced it; without a number where it is not kept. */
export function loggedLine(id: number | undefined, source: string, text: string): string {
  return `{${id === undefined ? '' : `"id":${id},`}"source":${JSON.stringify(source)},"data":${text}}\n`;
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
