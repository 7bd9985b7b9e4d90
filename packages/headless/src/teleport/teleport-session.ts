import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { WireMessage } from '@proto/core/framing';
import { isUuid } from '../flags/check-options.ts';
import type { HeadlessOptions } from '../flags/options.ts';
import type { FoundSession } from '../sessions/find-session.ts';
import type { MissingSession } from '../sessions/opened-session.ts';
import { createSessionFile } from '../sessions/session-file.ts';
import { uuidOf } from '../sessions/transcript-entry.ts';
import { DEFAULT_MAX_TRANSCRIPT_BYTES, readTranscript } from '../sessions/transcript.ts';
import type { RemoteReader } from './read-remote-session.ts';

export interface Teleporting extends Omit<RemoteReader, 'maxBytes'> {
  readonly cwd: string;
  readonly directory: string;
  /** Called before the session is written on this machine. Throws if another process uses the session. */
  readonly onWrite?: (path: string, sessionId: string) => void;
}

/**
 * The conversation is stored as a session of this working directory, with the id of the remote conversation, and continues like a resumed session.
 * The remote session does not change. Rejects if the local copy contains messages that the remote session lacks.
 */
export async function teleportSession(
  options: HeadlessOptions,
  { cwd, directory, env, warn, onWrite }: Teleporting,
): Promise<FoundSession | MissingSession> {
  // Loaded on demand.
  const { readRemoteSession, remoteAddress } = await import('./read-remote-session.ts');
  const address = remoteAddress(options.teleport ?? true, env);
  const remote = await readRemoteSession(address, { env, warn, maxBytes: DEFAULT_MAX_TRANSCRIPT_BYTES });
  if (remote === undefined) return { missing: `No remote session found with ID: ${address.id} (${address.origin})` };
  const { messages } = remote;
  if (messages.length === 0) return { missing: `The remote session ${address.id} has no conversation yet` };
  // The id from the server is used as a file name, so it must be a valid id.
  const sessionId = isUuid(remote.sessionId ?? '') ? String(remote.sessionId) : crypto.randomUUID();
  const path = join(directory, `${sessionId}.jsonl`);
  const { forkSession = false, sessionPersistence = true } = options;
  if (forkSession || !sessionPersistence) return { path, sessionId, history: messages };
  onWrite?.(path, sessionId);
  return { path, sessionId, history: await keep(messages, { path, sessionId, cwd }) };
}

/** Appends the messages that the session file lacks. Returns the whole conversation in the file. */
async function keep(
  messages: readonly WireMessage[],
  { path, sessionId, cwd }: { readonly path: string; readonly sessionId: string; readonly cwd: string },
): Promise<readonly WireMessage[]> {
  const exists = existsSync(path);
  const history = exists ? (await readTranscript(path)).map(({ message }) => message) : [];
  const isSame = (message: WireMessage, index: number) => {
    const other = messages[index];
    return other === undefined || uuidOf(other) === uuidOf(message);
  };
  if (!history.every(isSame)) {
    throw new Error(
      `the session ${sessionId} already exists on this machine, and continues differently there: continue the local session with --resume ${sessionId}, or copy the remote session under another id with --fork-session`,
    );
  }
  const further = messages.slice(history.length);
  const file = createSessionFile({ path, sessionId, cwd, exists, history });
  for (const message of further) file.append(message);
  file.close();
  return [...history, ...further];
}
