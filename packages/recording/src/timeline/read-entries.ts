import { cutText, parseJson } from '@proto/core/framing';
import { parseMessage } from '@proto/core/messages';
import { type NumberedLine, numberedLines } from '../numbered-lines.ts';
import { type Direction, parseEntry, type RecordingEntry, type RecordingHeader } from '../recording.ts';
import { blocksOf, type Members, membersOf } from './members.ts';
import type { TextPlace } from './timeline.ts';

/** The options for reading a recording, or plain lines without a recording header. */
export interface ReadEntriesOptions {
  /** The side that sent the lines of a file without a recording header. Default `auto`: the side is determined from the members of each line. */
  readonly direction?: Direction | 'auto';
  /** The maximum length of a line in bytes. Default 64 MiB. A longer line becomes an entry with `lost`. */
  readonly maxLineBytes?: number;
}

/** An entry with its position in the file. */
export interface PlacedEntry extends TextPlace {
  /** The entry. If the line cannot be read, the entry has the member `lost`. */
  readonly entry: RecordingEntry;
  /** The number of the line, counted from 1. */
  readonly number: number;
}

const DEFAULT_MAX_LINE_BYTES = 2 ** 26;
const MAX_EXCERPT_LENGTH = 200;

/**
 * Reads the entries of a source. The source is either a recording, which begins with its header, or plain lines of the protocol, which have no times.
 * Lines that cannot be read become entries with `lost`, so that no line is left out.
 */
export async function* readEntries(
  source: AsyncIterable<Uint8Array>,
  { direction = 'auto', maxLineBytes = DEFAULT_MAX_LINE_BYTES }: ReadEntriesOptions = {},
): AsyncGenerator<PlacedEntry, void, undefined> {
  let reader: EntryReader | undefined;
  for await (const placed of numberedLines(source, { maxLineBytes })) {
    const header: RecordingHeader | undefined = reader === undefined ? headerOf(placed) : undefined;
    reader ??= header === undefined ? new UntimedReader(direction) : new RecordingReader(header);
    if (header !== undefined) continue;
    const { number, offset, bytes } = placed;
    yield { entry: reader.read(placed), number, offset, bytes };
  }
}

interface EntryReader {
  read(line: NumberedLine): RecordingEntry;
}

class RecordingReader implements EntryReader {
  /** Lines that cannot be read are attributed to the side that made the recording. */
  readonly #dir: Direction;
  #t = 0;

  constructor({ side }: RecordingHeader) {
    this.#dir = side === 'agent' ? 'from-agent' : 'from-host';
  }

  read({ line, number, bytes }: NumberedLine): RecordingEntry {
    if (typeof line !== 'string') return { t: this.#t, dir: this.#dir, lost: 'too-large', excerpt: tooLong(bytes) };
    try {
      const entry = parseEntry(line, number);
      if ('recording' in entry) throw new Error('a second header');
      this.#t = entry.t;
      return entry;
    } catch {
      return { t: this.#t, dir: this.#dir, lost: 'malformed', excerpt: cutText(line, MAX_EXCERPT_LENGTH) };
    }
  }
}

class UntimedReader implements EntryReader {
  readonly #direction: Direction | 'auto';
  readonly #asked = new AskedRequests();

  constructor(direction: Direction | 'auto') {
    this.#direction = direction;
  }

  read({ line, bytes }: NumberedLine): RecordingEntry {
    const t = Number.NaN;
    if (typeof line !== 'string') return { t, dir: this.#dirOf(undefined), lost: 'too-large', excerpt: tooLong(bytes) };
    return { t, dir: this.#dirOf(messageOf(line)), line };
  }

  #dirOf(message: Members | undefined): Direction {
    if (this.#direction !== 'auto') return this.#direction;
    return message === undefined ? 'from-agent' : this.#asked.directionOf(message);
  }
}

// A peer may open any number of requests.
const MAX_ASKED = 10_000;

/** Determines which side sent a message. An answer is recognised by the request that it answers, and any other message by its members. */
class AskedRequests {
  /** The order of arrival, by id. Each side chooses its own ids, so both sides may use the same id. */
  readonly #open = { 'from-agent': new Map<unknown, number>(), 'from-host': new Map<unknown, number>() };
  #count = 0;

  directionOf(message: Members): Direction {
    const { type, request_id: id } = message;
    if (type === 'user') return isPrompt(message) ? 'from-host' : 'from-agent';
    if (type === 'control_response') return this.#answererOf(membersOf(message['response'])?.['request_id']);
    if (type === 'control_cancel_request') return this.#askerOf(id) ?? 'from-agent';
    const direction =
      isKnownFrom(message, 'from-agent') || !isKnownFrom(message, 'from-host') ? 'from-agent' : 'from-host';
    if (type === 'control_request' && this.#open[direction].size < MAX_ASKED) {
      this.#open[direction].set(id, this.#count++);
    }
    return direction;
  }

  #answererOf(id: unknown): Direction {
    const asker = this.#askerOf(id);
    if (asker !== undefined) this.#open[asker].delete(id);
    return asker === 'from-agent' ? 'from-host' : 'from-agent';
  }

  /** If both sides have an open request with this id, the older request is used. */
  #askerOf(id: unknown): Direction | undefined {
    const [agent, host] = [this.#open['from-agent'].get(id), this.#open['from-host'].get(id)];
    if (agent === undefined) return host === undefined ? undefined : 'from-host';
    return host === undefined || agent < host ? 'from-agent' : 'from-host';
  }
}

function isKnownFrom(message: Members, direction: Direction): boolean {
  return parseMessage(message, { direction }).kind === 'known';
}

/** Whether a user message is a prompt. The agent's user messages are not prompts, but tool results, echoes, and texts that no person typed. */
function isPrompt(message: Members): boolean {
  const { isReplay, isSynthetic, parent_tool_use_id: parent } = message;
  const isResult = blocksOf(message).some(({ type }) => type === 'tool_result');
  return isReplay !== true && isSynthetic !== true && typeof parent !== 'string' && !isResult;
}

function headerOf({ line }: NumberedLine): RecordingHeader | undefined {
  const members = typeof line === 'string' ? messageOf(line) : undefined;
  return typeof members?.['recording'] === 'number' ? (members as unknown as RecordingHeader) : undefined;
}

function messageOf(line: string): Members | undefined {
  try {
    return membersOf(parseJson(line));
  } catch {
    return undefined;
  }
}

function tooLong(bytes: number): string {
  return `a line of ${bytes} bytes`;
}
