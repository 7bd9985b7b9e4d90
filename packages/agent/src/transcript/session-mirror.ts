import type { WireMessage } from '@proto/core/framing';

/** The options for sending the transcript to a host that stores sessions itself. */
export interface SessionMirrorOptions {
  /**
   * The path that identifies the session to the host: `<configuration folder>/projects/<project>/<session id>.jsonl`. Hosts derive the key for their
   * store from this path. The agent neither reads nor writes this file.
   */
  readonly filePath: string;
  /** The working directory that each entry names. */
  readonly cwd: string;
  /** The version of the agent that each entry names, such as `2.1.328`. */
  readonly version: string;
  /** How the session was started, such as `sdk-ts`. Each entry repeats this value. Default: entries do not contain it. */
  readonly entrypoint?: string;
  /** Whether the history is sent first, because the host's store does not contain it under this key, for example after a fork. Default false. */
  readonly includesHistory?: boolean;
}

/** The title of a session, and who chose it. A title from the user replaces any title from the agent. */
export interface SessionTitle {
  /** The text that hosts show in lists of sessions. */
  readonly title: string;
  /** Who chose the title: `user` through a request from the host, `agent` by generating it. */
  readonly source: 'user' | 'agent';
}

/** Sends additions to the conversation to the host, as entries of a session file. */
export interface SessionMirror {
  add(message: WireMessage, parent: WireMessage | undefined): void;
  /** A title is sent with the next messages. */
  addTitle(title: SessionTitle): void;
  /** Returns `undefined` if no message was added since the last call. */
  flush(): Promise<void> | undefined;
}

export interface SessionMirrorParts extends SessionMirrorOptions {
  readonly sessionId: string;
  readonly history: readonly WireMessage[];
  readonly emit: (message: WireMessage) => Promise<void>;
}

/** Nothing is sent before the first message is added. */
export function createSessionMirror(parts: SessionMirrorParts): SessionMirror {
  const { filePath, cwd, version, entrypoint, sessionId, includesHistory = false, history, emit } = parts;
  let unsent = includesHistory ? history.map((message, index) => entryOf(message, history[index - 1])) : [];
  let hasBegun = false;

  function entryOf(message: WireMessage, parent: WireMessage | undefined): WireMessage {
    const uuid = parent?.['uuid'];
    const parentUuid = typeof uuid === 'string' ? uuid : null;
    return transcriptEntry(message, { parentUuid, sessionId, cwd, version, entrypoint });
  }

  return {
    add(message, parent) {
      hasBegun = true;
      unsent.push(entryOf(message, parent));
    },
    addTitle: (title) => void unsent.push(titleEntry(title, sessionId)),
    flush() {
      if (!hasBegun || unsent.length === 0) return undefined;
      const entries = unsent;
      unsent = [];
      return emit({ type: 'transcript_mirror', filePath, entries });
    },
  };
}

/** The place of an entry in a transcript, and the process that wrote it. */
export interface TranscriptPlace {
  /** The `uuid` of the previous entry. `null` for the first entry. */
  readonly parentUuid: string | null;
  /** The id of the session that the transcript belongs to. */
  readonly sessionId: string;
  /** The working directory. */
  readonly cwd: string;
  /** The version of the agent, such as `2.1.328`. */
  readonly version: string;
  /**
   * How the session was started, such as `sdk-ts`. Published session lists can leave out sessions that programs started. Default: the member is
   * absent.
   */
  readonly entrypoint?: string | undefined;
  /** Whether the entry is from a subagent, and therefore not part of the main conversation. Default false. */
  readonly isSidechain?: boolean;
}

/** Turns a message into a transcript entry, as used in session files and `transcript_mirror` messages. */
export function transcriptEntry(message: WireMessage, place: TranscriptPlace): WireMessage {
  const { isSidechain = false, entrypoint, ...where } = place;
  const { session_id: _, ...said } = message;
  // Programs that show transcripts leave out messages with `isMeta`, because the user did not write them.
  const marks = {
    ...(entrypoint !== undefined && { entrypoint }),
    ...(message['isSynthetic'] === true && { isMeta: true }),
  };
  return { isSidechain, ...where, ...marks, timestamp: new Date().toISOString(), ...said, type: message.type };
}

/** Turns a title into a transcript entry. The last entry of each kind counts, and the user's title takes precedence over the agent's. */
export function titleEntry({ title, source }: SessionTitle, sessionId: string): WireMessage {
  const named = source === 'user' ? { type: 'custom-title', customTitle: title } : { type: 'ai-title', aiTitle: title };
  return { ...named, sessionId };
}
