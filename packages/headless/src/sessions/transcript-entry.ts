import { transcriptEntry, type TranscriptPlace } from '@proto/agent';
import { encodeLine, parseLine, type WireMessage } from '@proto/core/framing';
import { PROTOCOL_VERSION } from '../flags/options.ts';

/** A line of a session file: what was said, and behind what. */
export interface TranscriptEntry {
  readonly uuid: string;
  readonly parentUuid: string | null;
  readonly sessionId: string | undefined;
  /** Part of the conversation: what a user or the agent said on the main thread. */
  readonly isSaid: boolean;
  /** As on the wire, under its `uuid`. */
  readonly message: WireMessage;
}

/** Where a message is written. */
export type EntryPlace = Omit<TranscriptPlace, 'version'>;

/** A message as an entry of a transcript. */
export function entryOf(message: WireMessage, place: EntryPlace): WireMessage {
  return transcriptEntry(message, { ...place, version: PROTOCOL_VERSION });
}

/** Reads an entry of a transcript, also of other agents, which keep more kinds of them. Nothing for what is none. */
export function readEntry(entry: WireMessage): TranscriptEntry | undefined {
  if (typeof entry['uuid'] !== 'string') return undefined;
  const { parentUuid, isSidechain, sessionId, cwd: _, version: __, timestamp: ___, ...message } = entry;
  return {
    uuid: entry['uuid'],
    parentUuid: typeof parentUuid === 'string' ? parentUuid : null,
    sessionId: typeof sessionId === 'string' ? sessionId : undefined,
    isSaid: (entry.type === 'user' || entry.type === 'assistant') && isSidechain !== true,
    message: { ...message, type: entry.type },
  };
}

/** Writes a message as a line of a session file. */
export function encodeEntry(message: WireMessage, place: EntryPlace): string {
  return encodeLine(entryOf(message, place));
}

/** Reads a line of a session file. Nothing for a line that is none. */
export function decodeEntry(line: string): TranscriptEntry | undefined {
  const { message } = parseLine(line);
  return message && readEntry(message);
}

/** The id of a message; null for what has none. */
export function uuidOf(message: WireMessage | undefined): string | null {
  return typeof message?.['uuid'] === 'string' ? message['uuid'] : null;
}
