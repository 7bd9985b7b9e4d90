import { encodeLine, type Line, parseJson } from '@proto/core/framing';
import { isLogName } from '@proto/core/network';
import type { StreamGreeting } from '@proto/core/reconnect';

/**
 * The lines of the subprotocol `sjp.v1`:
 * - `{"ack":N,"of":STREAM,"stream":STREAM,"from":N}`: the greeting, the first line of each side on each link. The sender has received everything up
 * to the number `ack` of the other side's stream or log, which is named in `of`. The sender's own stream is named in `stream`, and begins with the
 * number in `from`. A log that outlives its readers sends no stream name, but may send its name in `log`. `gap` means that the log cannot continue
 * right after the last message that the other side has received. A greeting may have the type `keep_alive`. No other line has a type
 * - `{"id":N,"source":WHO,"data":MESSAGE}`: a message with its number. A message without a number is meant only for current readers, and is not sent
 *   again
 * - `{"id":N,"event":NAME,"data":VALUE}`: a notice about the session. A notice without a number is not sent again
 * - `{"ack":N}`: everything up to N has arrived. This line also shows that the link is alive
 * - `{"end":N}`: no message follows N
 */
export type NumberedLine = MessageLine | AckFrame | NoticeLine | { readonly kind: 'end'; readonly end: number };

/**
 * The close code for a client that sent lines without numbers to a server that numbers its lines. The client then sends the same messages again with
 * numbers.
 */
export const NOT_NUMBERED = 1002;

/** A message, with a number if the other side keeps the message. */
export interface MessageLine {
  readonly kind: 'message';
  readonly id: number | undefined;
  readonly source: string | undefined;
  /** The message as JSON text. Undefined for a line that exceeds the limit, or is not a line of the subprotocol. */
  readonly text: string | undefined;
}

/** A notice about the session, with a number if the log keeps the notice. */
export interface NoticeLine {
  readonly kind: 'notice';
  readonly id: number | undefined;
  readonly event: string;
  readonly data: unknown;
}

/** An acknowledgement. The first acknowledgement on a link is the greeting. */
export interface AckFrame {
  readonly kind: 'ack';
  readonly ack: number;
  readonly of: string | undefined;
  readonly stream: string | undefined;
  /** A log that is restored to another state gets another name. */
  readonly log: string | undefined;
  readonly from: number;
  /** Whether messages before the number in `from` are missing. */
  readonly gap: boolean;
}

/** The type that a greeting may have. A server that only repeats the name of the subprotocol treats such a line as a keep-alive. */
const KEEP_ALIVE = 'keep_alive';

// The message is cut out of the line without parsing, so that the reader receives it byte for byte.
const BEGINNING = /^\{(?:"id":(\d{1,15}),)?(?:"source":("(?:[^"\\]|\\.)*"),)?("data":)?/;

/** The maximum length of a parsed line that is not a message, in UTF-16 units. Greetings, acknowledgements and notices are short. */
const MAX_OTHER_LENGTH = 64 * 1024;

/** A plain message may have members with the same names, but always has a type. */
export function isNumbered(line: Line): boolean {
  const numbered = parseNumberedLine(line);
  return numbered.kind !== 'message' || (numbered.text ?? numbered.id) !== undefined;
}

/** A line that is not part of the subprotocol becomes a message without text. */
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
  const { ack, of, stream, log, from, gap, event, data: value, end, type } = fields;
  if (type !== undefined && (type !== KEEP_ALIVE || !isCount(ack)))
    return { kind: 'message', id, source: undefined, text: undefined };
  if (isCount(ack)) {
    const counts = { ack, from: isCount(from) ? from : 0, gap: gap !== undefined };
    return { kind: 'ack', of: nameOf(of), stream: nameOf(stream), log: logOf(log), ...counts };
  }
  if (typeof event === 'string') return { kind: 'notice', id, event, data: value };
  return isCount(end) ? { kind: 'end', end } : { kind: 'message', id, source: undefined, text: undefined };
}

/** An unknown name is left out. */
export function greetingLine(greeting: StreamGreeting): string {
  return JSON.stringify({ ...greeting, type: KEEP_ALIVE });
}

/** Returns a notice about the session as a line, with a number if the log keeps the notice. */
export function noticeLine(id: number | undefined, event: string, data: object): string {
  return encodeLine({ id, event, data });
}

export function messageLine(id: number, text: string): string {
  return `{"id":${id},"data":${text}}\n`;
}

/** Returns a message of a log as a line that names the source of the message. The line contains a number only if the log keeps the message. */
export function loggedLine(id: number | undefined, source: string, text: string): string {
  return `{${id === undefined ? '' : `"id":${id},`}"source":${JSON.stringify(source)},"data":${text}}\n`;
}

/**
 * Returns the stream name in a client's greeting. The name is the same on all links of the client, so that a server recognises a client that has
 * reconnected. `frame` is the first frame of a link. Returns `undefined` if the frame is not a greeting.
 */
export function parseGreeting(frame: string): string | undefined {
  const greeting = parseNumberedLine(frame.split('\n', 1)[0] ?? '');
  return greeting.kind === 'ack' ? greeting.stream : undefined;
}

type Fields = Readonly<Record<string, unknown>>;

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function nameOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function logOf(value: unknown): string | undefined {
  return isLogName(value) ? value : undefined;
}

function parse<T>(json: string): T | undefined {
  try {
    return parseJson(json) as T;
  } catch {
    return undefined;
  }
}
