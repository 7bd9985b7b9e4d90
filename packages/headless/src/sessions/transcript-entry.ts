import { transcriptEntry, type TranscriptPlace } from '@proto/agent';
import { encodeLine, parseLine, type WireMessage } from '@proto/core/framing';
import { PROTOCOL_VERSION } from '../flags/options.ts';

/** A line of a session file: a message, and the id of the message before it. */
export interface TranscriptEntry {
  readonly uuid: string;
  readonly parentUuid: string | null;
  readonly sessionId: string | undefined;
  /** True if a user or the agent has written the message on the main thread. */
  readonly isSaid: boolean;
  /** True if the message is from a subagent. */
  readonly isSidechain: boolean;
  readonly message: WireMessage;
}

/** The members of an entry that do not come from its message. */
export type EntryPlace = Omit<TranscriptPlace, 'version'>;

export function entryOf(message: WireMessage, place: EntryPlace): WireMessage {
  return transcriptEntry(message, { ...place, version: PROTOCOL_VERSION });
}

/** Reads the transcript of any agent. Returns `undefined` for a value that is not an entry. */
export function readEntry(entry: WireMessage): TranscriptEntry | undefined {
  if (typeof entry['uuid'] !== 'string') return undefined;
  const { parentUuid, isSidechain, sessionId, isMeta, cwd: _, version: __, entrypoint: ___, ...message } = entry;
  return {
    uuid: entry['uuid'],
    parentUuid: typeof parentUuid === 'string' ? parentUuid : null,
    sessionId: typeof sessionId === 'string' ? sessionId : undefined,
    isSaid: (entry.type === 'user' || entry.type === 'assistant') && isSidechain !== true,
    isSidechain: isSidechain === true,
    // A message that no user wrote is marked with `isMeta` in entries, and with `isSynthetic` on the wire.
    message: { ...message, type: entry.type, ...(isMeta === true && { isSynthetic: true }) },
  };
}

export function encodeEntry(message: WireMessage, place: EntryPlace): string {
  return encodeLine(entryOf(message, place));
}

/** Returns `undefined` for a line that is not an entry. */
export function decodeEntry(line: string): TranscriptEntry | undefined {
  const { message } = parseLine(line);
  return message && readEntry(message);
}

/** Returns `null` for a message without an id. */
export function uuidOf(message: WireMessage | undefined): string | null {
  return typeof message?.['uuid'] === 'string' ? message['uuid'] : null;
}
