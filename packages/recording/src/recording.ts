import { parseJson } from '@proto/core/framing';
import { splitAtNul } from '@proto/core/internal';
import { TransportError } from '@proto/core/transport';

/** One of the two ends of a session. */
export type Side = 'host' | 'agent';

/** The direction of a line, named after the side that wrote the line. */
export type Direction = 'from-host' | 'from-agent';

/** The first line of a recording. */
export interface RecordingHeader {
  /** The version of the format. */
  readonly recording: 1;
  /** The side that made the recording. Lines from the other side are recorded when they arrive. */
  readonly side: Side;
  /** Whether secrets were removed. */
  readonly redacted: boolean;
}

/** The time of an entry, in milliseconds since the beginning of the recording, measured by a monotonic clock. */
interface At {
  readonly t: number;
}

/** One line that was sent over the wire. */
export interface RecordedLine extends At {
  /** The side that wrote the line. */
  readonly dir: Direction;
  /** The text of the line, without its line end. */
  readonly line: string;
  /** The paths at which secrets were removed. Absent if the line is unchanged. */
  readonly redacted?: readonly string[];
}

/** A line or frame that was rejected during framing, such as a line that is too long. */
export interface RecordedLoss extends At {
  /** The side that wrote the line. */
  readonly dir: Direction;
  /** The code of the error, such as `too-large` or `malformed`. */
  readonly lost: string;
  /** The beginning of the line. */
  readonly excerpt: string;
}

/** The entry after the last line from one side. */
export interface RecordedEnd extends At {
  /** The side that sends no more lines. */
  readonly dir: Direction;
  /** Marks the entry. Always `true`. */
  readonly end: true;
}

/** A change in the connection of a transport that reconnects. */
export interface RecordedLink extends At {
  /** The new state of the connection. */
  readonly link: 'down' | 'up';
  /** The number of the connection attempt, counted from 1 since the connection was last up. */
  readonly attempt: number;
  /** Only for `up`: `false` if messages may be missing. Absent if the transport does not report this. */
  readonly resumed?: boolean;
}

/** A notice that the session's server sent in addition to the messages. A replay leaves out notices, because it has no server. */
export interface RecordedNotice extends At {
  /** The name of the server's event, such as `control_resolved`. */
  readonly notice: string;
  /** The data of the event, as JSON. `null` if the event had no data. */
  readonly data: unknown;
  /** The position of the event in the server's log, if the log contains the event. The value is opaque. */
  readonly cursor?: string;
  /** The paths in `data` at which secrets were removed. Absent if the data is unchanged. */
  readonly redacted?: readonly string[];
}

/** How the transport ended. */
export interface RecordedClose extends At {
  /** What closed the transport: the side that made the recording (`local`), the other side (`peer`), or a failure of the connection (`link`). */
  readonly closed: 'local' | 'peer' | 'link';
  /** The code of the error, if the transport ended with an error. */
  readonly error?: string;
  /** The exit code, close code or HTTP status. */
  readonly status?: number;
}

/**
 * One part of an exchange between the agent and the Messages API, in a cassette. A replay leaves out exchanges, because the peer in a replay is not
 * an API. The description of each member says which parts contain the member.
 */
export interface RecordedExchange extends At {
  /** The number of the exchange, counted from 1 in the order of the requests. */
  readonly api: number;
  /** What happened: the agent sent a request, or the API started its response, sent a stream event or a whole body, or ended the response. */
  readonly part: 'request' | 'answer' | 'event' | 'body' | 'end';
  /** In a request: the HTTP method. */
  readonly method?: string;
  /** In a request: the path of the URL. */
  readonly path?: string;
  /** In a request for a message: the model. */
  readonly model?: string;
  /** In a request for a message: the maximum number of tokens in the answer. */
  readonly maxTokens?: number;
  /** In a request for a message: a key for each message of the conversation. */
  readonly messages?: readonly string[];
  /** In a request for a message: the messages whose keys no earlier request contains, in the order of the keys. */
  readonly fresh?: Readonly<Record<string, unknown>>;
  /** At the start of a response: the HTTP status. */
  readonly status?: number;
  /** At the start of a response: the headers that a replay needs, by name. */
  readonly headers?: Readonly<Record<string, string>>;
  /** In a stream event: the name of the event, if it has a name. */
  readonly event?: string;
  /** In a stream event or a body: the text. */
  readonly data?: string;
  /** At the end of a response: why the response was cut off. Absent if the response is complete. */
  readonly failed?: string;
  /** The paths in `data` at which secrets were removed. */
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
  /** The entries after the header, in order. */
  readonly entries: readonly RecordingEntry[];
}

/** Returns the direction of the lines that a side sends. */
export function directionOf(side: Side): Direction {
  return `from-${side}`;
}

/**
 * Parses a recording: JSON lines, with the header first.
 * @throws {TransportError} `malformed`, with the number of the first bad line.
 */
export function parseRecording(text: string): Recording {
  // Some editors write a byte order mark at the beginning of a file.
  const [header, ...entries] = text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .flatMap((text, index) => splitAtNul(text).map((line) => ({ line, number: index + 1 })))
    .flatMap(({ line, number }) => (line.trim() === '' ? [] : [parseEntry(line, number)]));
  if (header === undefined || !('recording' in header)) throw malformed(1, 'it has no header');
  if (header.recording !== 1)
    throw malformed(
      1,
      `its format has the version ${String(header.recording)}, but only version 1 is known: use a newer version of this program`,
    );
  return { header, entries: entries as RecordingEntry[] };
}

/**
 * Parses one line of a recording: the header or an entry. `number` is the line number for error messages.
 * @throws {TransportError} `malformed` if the line is neither a header nor an entry.
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
  return new TransportError(
    'malformed',
    `not a recording: line ${number}: ${why}`,
    cause === undefined ? {} : { cause },
  );
}
