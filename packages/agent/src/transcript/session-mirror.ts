import type { WireMessage } from '@proto/core/framing';

/** What a host that keeps sessions in a store of its own is told of this one. */
export interface SessionMirrorOptions {
  /**
   * The name of the session for the host: `<configuration folder>/projects/<project>/<session id>.jsonl`. Hosts take the key in their
   * store from it; nothing is read or written there.
   */
  readonly filePath: string;
  /** The working directory, as each entry says it. */
  readonly cwd: string;
  /** Of the agent, such as `2.1.328`, as each entry says it. */
  readonly version: string;
  /** The history is told first, because the host's store has it under no key or under another one, as with a fork. Default false. */
  readonly includesHistory?: boolean;
}

/** Tells the host what is added to the conversation, as the entries of a session file. */
export interface SessionMirror {
  /** Takes a message that stands behind `parent` now. */
  add(message: WireMessage, parent: WireMessage | undefined): void;
  /** Tells what was taken since. Undefined where that is nothing. */
  flush(): Promise<void> | undefined;
}

/** What a mirror is made with. */
export interface SessionMirrorParts extends SessionMirrorOptions {
  readonly sessionId: string;
  readonly history: readonly WireMessage[];
  readonly emit: (message: WireMessage) => Promise<void>;
}

/** Makes the mirror of a session. Nothing is told before the first message is added. */
export function createSessionMirror(parts: SessionMirrorParts): SessionMirror {
  const { filePath, cwd, version, sessionId, includesHistory = false, history, emit } = parts;
  let untold = includesHistory ? history.map((message, index) => entryOf(message, history[index - 1])) : [];
  let hasBegun = false;

  function entryOf(message: WireMessage, parent: WireMessage | undefined): WireMessage {
    const uuid = parent?.['uuid'];
    const parentUuid = typeof uuid === 'string' ? uuid : null;
    return transcriptEntry(message, { parentUuid, sessionId, cwd, version });
  }

  return {
    add(message, parent) {
      hasBegun = true;
      untold.push(entryOf(message, parent));
    },
    flush() {
      if (!hasBegun || untold.length === 0) return undefined;
      const entries = untold;
      untold = [];
      return emit({ type: 'transcript_mirror', filePath, entries });
    },
  };
}

/** Where in a transcript an entry stands, and which process has written it. */
export interface TranscriptPlace {
  /** The entry it stands behind; null at the start. */
  readonly parentUuid: string | null;
  readonly sessionId: string;
  /** The working directory. */
  readonly cwd: string;
  /** Of the agent, such as `2.1.328`. */
  readonly version: string;
  /** What a subagent says stands apart from the conversation. Default false. */
  readonly isSidechain?: boolean;
}

/** A message as an entry of a transcript, as session files and `transcript_mirror` messages have it. */
export function transcriptEntry(message: WireMessage, { isSidechain = false, ...place }: TranscriptPlace): WireMessage {
  const { session_id: _, ...said } = message;
  return { isSidechain, ...place, timestamp: new Date().toISOString(), ...said, type: message.type };
}
