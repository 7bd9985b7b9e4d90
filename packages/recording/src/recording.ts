import { parseJson } from '@proto/core/framing';
import { splitAtNul } from '@proto/core/internal';
import { TransportError } from '@proto/core/transport';

/** One of the two ends of a session. */
export type Side = 'host' | 'agent';

/** Which side wrote a line. */
export type Direction = 'from-host' | 'from-agent';

/** The first line of a recording. */
export interface RecordingHeader {
  /** The version of the format. */
  readonly recording: 1;
  /** The end that made the recording. Lines of the other end are at the place of their arrival. */
  readonly side: Side;
  /** Whether secrets were removed. */
  readonly redacted: boolean;
}

/** The time of an entry, in milliseconds since the beginning of the recording, by a clock that never goes back. */
interface At {
  readonly t: number;
}

/** One line of the wire. */
export interface RecordedLine extends At {
  /** The side that wrote the line. */
  readonly dir: Direction;
  /** The text of the line, without its line end. */
  readonly line: string;
  /** The paths where secrets were removed; absent for an unchanged line. */
  readonly redacted?: readonly string[];
}

/** A line or frame that framing rejected, such as a line that is too long. */
export interface RecordedLoss extends At {
  /** The side that wrote the line. */
  readonly dir: Direction;
  /** The code of the error, such as `too-large` or `malformed`. */
  readonly lost: string;
  /** The beginning of the line. */
  readonly excerpt: string;
}

/** The end of the lines of one side. */
export interface RecordedEnd extends At {
  /** The side that sends no more lines. */
  readonly dir: Direction;
  /** Marks the entry; always true. */
  readonly end: true;
}

/** A change of the link of a transport that reconnects. */
export interface RecordedLink extends At {
  /** The new state of the link. */
  readonly link: 'down' | 'up';
  /** The number of the attempt since the link was last up, counted from 1. */
  readonly attempt: number;
  /** On `up`: false if messages may be missing; absent if the transport does not report it. */
  readonly resumed?: boolean;
}

/** A notice that the server of a session sent in addition to the messages. A replay leaves notices out, because it has no server. */
export interface RecordedNotice extends At {
  /** The name of the event of the server, such as `control_resolved`. */
  readonly notice: string;
  /** The data of the event, as JSON; null if the event had none. */
  readonly data: unknown;
  /** The place of the event in the log of the server, if the log has it. Chosen by the server; opaque. */
  readonly cursor?: string;
  /** The paths in `data` where secrets were removed; absent for unchanged data. */
  readonly redacted?: readonly string[];
}

/** How the transport ended. */
export interface RecordedClose extends At {
  /** Which end closed the transport: the recording side (`local`), the other side (`peer`), or the medium between them (`link`). */
  readonly closed: 'local' | 'peer' | 'link';
  /** The code of the error, if there was one. */
  readonly error?: string;
  /** Exit code, close code or HTTP status. */
  readonly status?: number;
}

/**
 * One part of an exchange of the agent with the Messages API, in a cassette. A replay leaves exchanges out, because the peer of a
 * replay is not an API. Each part has the members that are named for it.
 */
export interface RecordedExchange extends At {
  /** The number of the exchange, counted from 1 in the order of the requests. */
  readonly api: number;
  /** What happened: the agent sent a request, or the API began its answer, sent an event of a stream or a whole body, or ended the answer. */
  readonly part: 'request' | 'answer' | 'event' | 'body' | 'end';
  /** Of a request: the HTTP method. */
  readonly method?: string;
  /** Of a request: the path of its address. */
  readonly path?: string;
  /** Of a request for a message: the model. */
  readonly model?: string;
  /** Of a request for a message: the longest answer that is wanted, in tokens. */
  readonly maxTokens?: number;
  /** Of a request for a message: a key for each message of the conversation. */
  readonly messages?: readonly string[];
  /** Of a request for a message: the messages whose keys no earlier request has, in the order of their keys. */
  readonly fresh?: Readonly<Record<string, unknown>>;
  /** Of an answer: the HTTP status. */
  readonly status?: number;
  /** Of an answer: the headers that a replay needs, by name. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Of an event: its name, if it has one. */
  readonly event?: string;
  /** Of an event or a body: its text. */
  readonly data?: string;
  /** Of an end: why the answer was cut off, if it was. */
  readonly failed?: string;
  /** The paths in `data` where secrets were removed. */
  readonly redacted?: readonly string[];
}

/** One line of a recording after the header. */
export type RecordingEntry =
  | RecordedLine
  | RecordedLoss
  | RecordedEnd
  | RecordedLink
  | RecordedNotice
  | RecordedClose
  | RecordedExchange;

/** The lines of a session in both directions, in order. */
export interface Recording {
  /** The first line. */
  readonly header: RecordingHeader;
  /** The other lines, in order. */
  readonly entries: readonly RecordingEntry[];
}

/** The direction of the lines of a side. */
export function directionOf(side: Side): Direction {
  return `from-${side}`;
}

/**
 * Parses a recording: JSON lines, with the header first.
 * @throws {TransportError} `malformed`, with the number of the first bad line.
 */
export function parseRecording(text: string): Recording {
  // Editors put a byte order mark before the text.
  const [header, ...entries] = text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .flatMap((text, index) => splitAtNul(text).map((line) => ({ line, number: index + 1 })))
    .flatMap(({ line, number }) => (line.trim() === '' ? [] : [parseEntry(line, number)]));
  if (header === undefined || !('recording' in header)) throw malformed(1, 'it has no header');
  if (header.recording !== 1) throw malformed(1, `its format has the version ${String(header.recording)}, known is 1`);
  return { header, entries: entries as RecordingEntry[] };
}

/**
 * Parses one line of a recording: the header, or an entry. `number` is the number of the line, for the error.
 * @throws {TransportError} `malformed`: the line is neither.
 */
export function parseEntry(line: string, number: number): RecordingHeader | RecordingEntry {
  let entry: unknown;
  try {
    entry = parseJson(line);
  } catch (cause) {
    throw malformed(number, 'it is not JSON', cause);
  }
  const { recording, t, dir, line: text, lost, end, link, notice, closed, api, part } = Object(entry) as Members;
  const isDirected = dir === 'from-host' || dir === 'from-agent';
  const isEntry =
    typeof t === 'number' &&
    ((isDirected && (typeof text === 'string' || typeof lost === 'string' || end === true)) ||
      typeof link === 'string' ||
      typeof notice === 'string' ||
      (typeof api === 'number' && typeof part === 'string') ||
      typeof closed === 'string');
  if (!isEntry && recording === undefined) throw malformed(number, 'it is not an entry');
  return entry as RecordingHeader | RecordingEntry;
}

type Members = Readonly<Record<string, unknown>>;

function malformed(number: number, why: string, cause?: unknown): TransportError {
  return new TransportError('malformed', `no recording: line ${number}: ${why}`, cause === undefined ? {} : { cause });
}
