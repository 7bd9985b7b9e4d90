import { TransportError } from '@proto/core/transport';

/** The two ends of a session. */
export type Side = 'host' | 'agent';

/** Who wrote a line. */
export type Direction = 'from-host' | 'from-agent';

/** The first line of a recording. */
export interface RecordingHeader {
  /** The version of the format. */
  readonly recording: 1;
  /** At which end it was made: what the other end had sent stands where it arrived. */
  readonly side: Side;
  /** Whether secrets were taken out. */
  readonly redacted: boolean;
}

/** When something happened, in milliseconds since the recording began, on a clock that never goes back. */
interface At {
  readonly t: number;
}

/** One line of the wire, as it travelled. */
export interface RecordedLine extends At {
  readonly dir: Direction;
  readonly line: string;
  /** Where secrets were taken out, as paths; absent where the line is as it was, to the letter. */
  readonly redacted?: readonly string[];
}

/** What framing lost: an over-long line, a bad frame. */
export interface RecordedLoss extends At {
  readonly dir: Direction;
  readonly lost: string;
  readonly excerpt: string;
}

/** No more lines of that side. */
export interface RecordedEnd extends At {
  readonly dir: Direction;
  readonly end: true;
}

/** What happened to the link under a transport that reconnects. */
export interface RecordedLink extends At {
  readonly link: 'down' | 'up';
  readonly attempt: number;
  readonly resumed?: boolean;
}

/** What the server of a session said beside its messages. A replay leaves it out: there is no server in it. */
export interface RecordedNotice extends At {
  readonly notice: string;
  readonly data: unknown;
  readonly cursor?: string;
  /** Where secrets were taken out of `data`, as paths; absent where it is as it was. */
  readonly redacted?: readonly string[];
}

/** How it ended. */
export interface RecordedClose extends At {
  readonly closed: 'local' | 'peer' | 'link';
  /** The code of the error, where there was one. */
  readonly error?: string;
  /** Exit code, close code or HTTP status. */
  readonly status?: number;
}

/** One line of a recording behind the first. */
export type RecordingEntry = RecordedLine | RecordedLoss | RecordedEnd | RecordedLink | RecordedNotice | RecordedClose;

/** What a session said, in both directions and in order. */
export interface Recording {
  readonly header: RecordingHeader;
  readonly entries: readonly RecordingEntry[];
}

/** The side whose lines go in that direction. */
export function directionOf(side: Side): Direction {
  return `from-${side}`;
}

/** Reads a recording: JSON lines, the header first. Throws `malformed` with the number of the line that is none. */
export function parseRecording(text: string): Recording {
  const [header, ...entries] = text
    .split('\n')
    .flatMap((line, index) => (line.trim() === '' ? [] : [readEntry(line, index + 1)]));
  if (header === undefined || !('recording' in header)) throw malformed(1, 'it has no header');
  if (header.recording !== 1) throw malformed(1, `its format has the version ${String(header.recording)}, known is 1`);
  return { header, entries: entries as RecordingEntry[] };
}

function readEntry(line: string, number: number): RecordingHeader | RecordingEntry {
  let entry: unknown;
  try {
    entry = JSON.parse(line);
  } catch (cause) {
    throw malformed(number, 'it is no JSON', cause);
  }
  const { recording, t, dir, line: text, lost, end, link, notice, closed } = Object(entry) as Record<string, unknown>;
  const isDirected = dir === 'from-host' || dir === 'from-agent';
  const isEntry =
    typeof t === 'number' &&
    ((isDirected && (typeof text === 'string' || typeof lost === 'string' || end === true)) ||
      typeof link === 'string' ||
      typeof notice === 'string' ||
      typeof closed === 'string');
  if (!isEntry && recording === undefined) throw malformed(number, 'it is no entry');
  return entry as RecordingHeader | RecordingEntry;
}

function malformed(number: number, why: string, cause?: unknown): TransportError {
  return new TransportError('malformed', `no recording: line ${number}: ${why}`, cause === undefined ? {} : { cause });
}
