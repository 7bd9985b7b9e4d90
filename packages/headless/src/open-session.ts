import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { WireMessage } from '@proto/core';
import type { SessionStore } from '@proto/agent';
import { findSession } from './find-session.ts';
import { createKeptStore } from './kept-store.ts';
import { hostProjectDirectory } from './host-transcript.ts';
import type { HeadlessOptions } from './options.ts';
import { projectDirectory } from './project-directory.ts';
import { createSessionFile } from './session-file.ts';
import { teleportSession } from './teleport/teleport-session.ts';
import type { Variables } from './variables.ts';

/** A session that begins, or goes on. */
export interface OpenedSession {
  readonly sessionId: string;
  /** What was said before; each message under its `uuid`. */
  readonly history: readonly WireMessage[];
  /** What its subagents have said, by the `parent_tool_use_id` of each. */
  readonly subagentHistory?: ReadonlyMap<string, readonly WireMessage[]>;
  readonly store?: SessionStore;
  /** The file it is kept in, for hooks. */
  readonly transcriptPath?: string;
  /** What could not be kept, as a message for the host; once. */
  takeLoss?(): WireMessage | undefined;
  close?(): void | Promise<void>;
}

/** There is nothing to resume: why, and the id that was asked for. Told as a result that is an error. */
export interface MissingSession {
  readonly missing: string;
  readonly sessionId?: string;
  /** The `startup_failure_reason` of that result, where hosts know one. */
  readonly startupFailure?: string;
}

/** The process that asks for a session. */
export interface SessionPlace {
  readonly cwd: string;
  readonly env: Variables;
  /** Writes a line for people. */
  readonly warn: (text: string) => void;
}

/** Begins a session, or finds the one that the options name. What it throws is told on stderr and ends the process with 1. */
export type OpenSession = (
  options: HeadlessOptions,
  place: SessionPlace,
) => OpenedSession | MissingSession | Promise<OpenedSession | MissingSession>;

/** Keeps each session in a file of its own, in the folder of its working directory. */
export const openSessionFile: OpenSession = async (options, { cwd, env, warn }) => {
  const directory = projectDirectory(cwd, env);
  const { forkSession = false, sessionMirror = false, sessionPersistence = true } = options;
  const handed = sessionMirror && env['CLAUDE_CONFIG_DIR'] ? hostProjectDirectory(cwd, env) : undefined;
  const found = await (options.teleport === undefined
    ? findSession(options, { cwd, directory, handed })
    : teleportSession(options, { cwd, directory, env, warn }));
  if (found !== undefined && 'missing' in found) return found;

  const goesOn = found !== undefined && !forkSession;
  const sessionId = (goesOn ? found.sessionId : options.sessionId) ?? crypto.randomUUID();
  const path = goesOn ? found.path : join(directory, `${sessionId}.jsonl`);
  if (!goesOn && existsSync(path)) throw new Error(`Session ID ${sessionId} is already in use.`);
  const history = found?.history ?? [];
  const file = sessionPersistence ? createSessionFile({ path, sessionId, cwd, exists: goesOn, history }) : undefined;
  const store = createKeptStore({ history, file, sessionId, warn });
  const opened = { sessionId, history, store, takeLoss: () => store.takeLoss(), close: () => file?.close() };
  return sessionPersistence ? { ...opened, transcriptPath: path } : opened;
};
