import type { Direction } from '@proto/recording';

/** What a visitor may do with a session, in addition to reading it. */
export interface SessionRights {
  /** Whether messages can be sent to the agent. A session server may still refuse a message because of the account's role. */
  readonly send: boolean;
  /** Whether the messages of a direction can be held back and released. */
  readonly hold: boolean;
}

/** The state of a session and of its recording. */
export interface SessionState {
  /** The length of its recording in bytes. */
  readonly bytes: number;
  /** Whether the recording is complete, so that nothing will be added. */
  readonly isEnded: boolean;
  /** Why the recording ended or is not complete, in a sentence; undefined if nothing is wrong. */
  readonly trouble?: string | undefined;
  /** The directions whose messages are held back. */
  readonly held: readonly Direction[];
  readonly rights: SessionRights;
}

/** An action of a visitor. `send` sends a message to the agent, and `hold` stops a direction until `release` is sent. */
export type SessionAction =
  | { readonly action: 'send'; readonly message: Readonly<Record<string, unknown>> }
  | { readonly action: 'hold' | 'release'; readonly direction: Direction };

/** A session in the inspector: a recording that is read by range and may grow, and actions on the session. */
export interface InspectedSession {
  readonly state: SessionState;
  /** Reads bytes of the recording, or fewer bytes at its end. Rejects with the error of the file system. */
  read(from: number, to: number): Promise<Uint8Array>;
  /** Calls `listener` when the state changes. Returns the function that stops the calls. */
  onChange(listener: () => void): () => void;
  /** Performs an action. @throws {SessionActionError} if the session refuses. */
  act(action: SessionAction): Promise<void>;
}

/** Thrown if a session refuses an action. The message explains why, for users. */
export class SessionActionError extends Error {
  override readonly name = 'SessionActionError';
  readonly code: 'not-possible' | 'refused' | 'ended';

  constructor(code: SessionActionError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

export class ChangeListeners {
  readonly #listeners = new Set<() => void>();

  add(listener: () => void): () => void {
    // A new function for each call, so that a function can be added twice.
    const own = () => listener();
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  }

  get count(): number {
    return this.#listeners.size;
  }

  call(): void {
    for (const listener of this.#listeners) listener();
  }
}
