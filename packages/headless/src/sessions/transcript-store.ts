import type { SessionStore } from '@proto/agent';
import type { WireMessage } from '@proto/core/framing';
import type { SessionFile } from './session-file.ts';
import { SessionInUseError } from './session-lock.ts';

/** The first messages of a store, and where it writes. */
export interface TranscriptStoreOptions {
  readonly history: readonly WireMessage[];
  /** The file of the session; undefined if the session is not kept. */
  readonly file: SessionFile | undefined;
  readonly sessionId: string;
  /** Is called once, with a text for people, when the session is not kept any more. */
  readonly warn: (text: string) => void;
}

/** The store of a session in a file. */
export interface TranscriptStore extends SessionStore {
  /** Returns the message for hosts that writing has failed, once. */
  takeLoss(): WireMessage | undefined;
}

/**
 * Creates the store of a session: it knows the prompts so far, and appends to the file. After an error of the file system the session goes on
 * without being kept. A session that another process has begun in the meantime fails the turn.
 */
export function createTranscriptStore({ history, file, sessionId, warn }: TranscriptStoreOptions): TranscriptStore {
  const taken = new Set(history.flatMap(({ type, uuid }) => (type === 'user' ? [uuid] : [])));
  let loss: WireMessage | undefined;
  let keeps = file !== undefined;

  function stop(error: unknown): void {
    if (error instanceof SessionInUseError) throw error;
    const { code = 'EIO', syscall, message } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && syscall === 'open') throw new Error(`Session ID ${sessionId} is already in use.`);
    keeps = false;
    warn(`Warning: this session is not kept from here on: ${message}`);
    const members = { error_code: code, lost: ['transcript'], transcript_session_ids: [sessionId] };
    loss = { type: 'system', subtype: 'session_writes_lost', ...members };
  }

  function write(action: (kept: SessionFile) => void): void {
    if (!keeps || file === undefined) return;
    try {
      action(file);
    } catch (error) {
      stop(error);
    }
  }

  return {
    has: (uuid) => taken.has(uuid),
    add: (uuid) => void taken.add(uuid),
    append: (message) => write((kept) => kept.append(message)),
    appendSubagent: (message, agentID) => write((kept) => kept.appendSubagent?.(message, agentID)),
    setTitle: (title) => write((kept) => kept.setTitle(title)),
    takeLoss() {
      const told = loss;
      loss = undefined;
      return told;
    },
  };
}
