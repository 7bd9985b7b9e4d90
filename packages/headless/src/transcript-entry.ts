import { encodeLine, parseLine, type WireMessage } from '@proto/core';
import { PROTOCOL_VERSION } from './protocol-version.ts';

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
export interface EntryPlace {
  readonly parentUuid: string | null;
  readonly sessionId: string;
  readonly cwd: string;
}

/** Writes a message as a line of a session file. */
export function encodeEntry(message: WireMessage, { parentUuid, sessionId, cwd }: EntryPlace): string {
  const { session_id: _, ...said } = message;
  const timestamp = new Date().toISOString();
  return encodeLine({
    parentUuid,
    isSidechain: false,
    sessionId,
    cwd,
    version: PROTOCOL_VERSION,
    timestamp,
    ...said,
    type: message.type,
  });
}

/** Reads a line of a session file, also of other agents, which keep more kinds of lines. Nothing for a line that is none. */
export function decodeEntry(line: string): TranscriptEntry | undefined {
  const { message: entry } = parseLine(line);
  if (entry === undefined || typeof entry['uuid'] !== 'string') return undefined;
  const { parentUuid, isSidechain, sessionId, cwd: _, version: __, timestamp: ___, ...message } = entry;
  return {
    uuid: entry['uuid'],
    parentUuid: typeof parentUuid === 'string' ? parentUuid : null,
    sessionId: typeof sessionId === 'string' ? sessionId : undefined,
    isSaid: (entry.type === 'user' || entry.type === 'assistant') && isSidechain !== true,
    message: { ...message, type: entry.type },
  };
}
