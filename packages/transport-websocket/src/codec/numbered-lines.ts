import { encodeLine, type Line, parseJson } from '@proto/core/framing';
import { isLogName } from '@proto/core/network';
import type { StreamGreeting } from '@proto/core/reconnect';

/**
 * The lines of the subprotocol `sjp.v1`:
 * - `{"ack":N,"of":STREAM,"stream":STREAM,"from":N}`: the greeting, the first line of each side on each link. The sender has received
 *   everything up to `ack` of the other side's stream or log `of`. It sends the stream `stream`, from the number `from` on. A log that outlives
 *   its readers has no stream name, and may send its name in `log`. `gap` says that the log cannot continue right after the last message of the
 *   other side. A greeting may have the type `keep_alive`; no other line has a type
 * - `{"id":N,"source":WHO,"data":MESSAGE}`: a message under its number. A message without a number is only for current readers, and is not
 *   sent again
 * - `{"id":N,"event":NAME,"data":VALUE}`: a notice of the session. A notice without a number is not sent again
 * - `{"ack":N}`: everything up to N has arrived. Also shows that the link is alive
 * - `{"end":N}`: no message follows N
 */
export type NumberedLine = MessageLine | AckFrame | NoticeLine | { readonly kind: 'end'; readonly end: number };

/** The close code for a client that sent lines without numbers to a server that numbers lines: the client sends them again, with numbers. */
export const NOT_NUMBERED = 1002;

/** A message, with its number if the other side keeps it. */
export interface MessageLine {
  readonly kind: 'message';
  readonly id: number | undefined;
  readonly source: string | undefined;
  /** Undefined for a line that is above the limit, or that is not a line of the subprotocol. */
  readonly text: string | undefined;
}

/** A notice of the session, with its number if the log keeps it. */
export interface NoticeLine {
  readonly kind: 'notice';
  readonly id: number | undefined;
  readonly event: string;
  readonly data: unknown;
}

/** An acknowledgement. The first one on a link is the greeting. */
export interface AckFrame {
  readonly kind: 'ack';
  readonly ack: number;
  readonly of: string | undefined;
  readonly stream: string | undefined;
  /** The name of the log. Another state of the log has another name. */
  readonly log: string | undefined;
  readonly from: number;
  /** Whether messages before that number are missing. */
  readonly gap: boolean;
}

/** The type that a greeting may have. A server that only repeats the name of the subprotocol treats such a line as a keep-alive. */
const KEEP_ALIVE = 'keep_alive';

// The message is cut out of the line unparsed, so that the reader gets it byte for byte.
const BEGINNING = /^\{(?:"id":(\d{1,15}),)?(?:"source":("(?:[^"\\]|\\.)*"),)?("data":)?/;

/** The longest line other than a message that is parsed, in UTF-16 units. Greetings, acknowledgements and notices are short. */
const MAX_OTHER_LENGTH = 64 * 1024;

/** Whether a line belongs to the subprotocol. A plain message has a type, and may have members of the same names. */
export function isNumbered(line: Line): boolean {
  const numbered = parseNumberedLine(line);
  return numbered.kind !== 'message' || (numbered.text ?? numbered.id) !== undefined;
}

/** Reads a line of the subprotocol. Any other line becomes a message without a text. */
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

/** The greeting of a client, as JSON. It leaves out a name that is not known. */
export function greetingLine(greeting: StreamGreeting): string {
  return JSON.stringify({ ...greeting, type: KEEP_ALIVE });
}

/** A notice of the session as a line, with its number if the log keeps it. */
export function noticeLine(id: number | undefined, event: string, data: object): string {
  return encodeLine({ id, event, data });
}

/** A message under its number, as a line. */
export function messageLine(id: number, text: string): string {
  return `{"id":${id},"data":${text}}\n`;
}

/** A message of a log as a line, with who produced it, and without a number if the log does not keep it. */
export function loggedLine(id: number | undefined, source: string, text: string): string {
  return `{${id === undefined ? '' : `"id":${id},`}"source":${JSON.stringify(source)},"data":${text}}\n`;
}

/**
 * The name of the stream in the greeting of a client, which is the same on each of its links. By this name a server recognises a client that has
 * reconnected. `frame` is the first frame of a link. Undefined if the frame is not a greeting.
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
