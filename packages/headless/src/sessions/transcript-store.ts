import type { SessionStore } from '@proto/agent';
import type { WireMessage } from '@proto/core/framing';
import type { SessionFile } from './session-file.ts';
import { SessionInUseError } from './session-lock.ts';

export interface TranscriptStoreOptions {
  readonly history: readonly WireMessage[];
  /** Undefined if the session is not stored. */
  readonly file: SessionFile | undefined;
  readonly sessionId: string;
  /** Called once, with a line for the user, when the session can no longer be stored. */
  readonly warn: (text: string) => void;
}

export interface TranscriptStore extends SessionStore {
  /** When writing has failed, the first call returns a message that informs hosts. Every other call returns `undefined`. */
  takeLoss(): WireMessage | undefined;
}

/**
 * The store knows the prompts so far, and appends to the file. After a file system error, the session continues without being stored. If another
 * process has started the same session in the meantime, the turn fails.
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
    warn(`Warning: the rest of this session will not be stored: ${message}`);
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
      const message = loss;
      loss = undefined;
      return message;
    },
  };
}
