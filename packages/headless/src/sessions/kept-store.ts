import type { SessionStore } from '@proto/agent';
import type { WireMessage } from '@proto/core/framing';
import type { SessionFile } from './session-file.ts';

/** What a store begins with, and where it writes. */
export interface KeptStoreOptions {
  readonly history: readonly WireMessage[];
  /** Without one nothing is kept. */
  readonly file: SessionFile | undefined;
  readonly sessionId: string;
  /** Tells people, once, that the session is not kept any more. */
  readonly warn: (text: string) => void;
}

/** The store of a session in a file. */
export interface KeptStore extends SessionStore {
  /** What hosts are told when writing has failed: once, then nothing. */
  takeLoss(): WireMessage | undefined;
}

/**
 * Knows the prompts of the conversation so far, and adds to its file. A file system that fails ends the keeping, not the session;
 * a session that another process has begun meanwhile fails the turn.
 */
export function createKeptStore({ history, file, sessionId, warn }: KeptStoreOptions): KeptStore {
  const taken = new Set(history.flatMap(({ type, uuid }) => (type === 'user' ? [uuid] : [])));
  let loss: WireMessage | undefined;
  let keeps = file !== undefined;

  function stop(error: unknown): void {
    const { code = 'EIO', syscall, message } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && syscall === 'open') throw new Error(`Session ID ${sessionId} is already in use.`);
    keeps = false;
    warn(`Warning: this session is not kept from here on: ${message}`);
    const members = { error_code: code, lost: ['transcript'], transcript_session_ids: [sessionId] };
    loss = { type: 'system', subtype: 'session_writes_lost', ...members };
  }

  return {
    has: (uuid) => taken.has(uuid),
    add: (uuid) => void taken.add(uuid),
    append(message) {
      if (!keeps) return;
      try {
        file?.append(message);
      } catch (error) {
        stop(error);
      }
    },
    takeLoss() {
      const told = loss;
      loss = undefined;
      return told;
    },
  };
}
