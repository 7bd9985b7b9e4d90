import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { HeadlessOptions } from '../flags/options.ts';
import { teleportSession } from '../teleport/teleport-session.ts';
import { findSession } from './find-session.ts';
import { entrypointOf, hostProjectDirectory } from './host-transcript.ts';
import { createTranscriptStore } from './transcript-store.ts';
import type { MissingSession, OpenedSession, OpenSession, SessionPlace } from './opened-session.ts';
import { createSessionFile, type SessionFile, type SessionFileOptions } from './session-file.ts';
import { sessionDirectory } from './session-layout.ts';
import { lockSession } from './session-lock.ts';
import { createSubagentFiles } from './subagent-files.ts';

export const openSessionFile: OpenSession = async (options, place) => {
  const hold = holdOf(options);
  const opened = await openIn(options, place, hold).catch((error: unknown) => {
    hold.release();
    throw error;
  });
  if ('missing' in opened) hold.release();
  return opened;
};

interface Hold {
  /** Throws if another process has the right to write to the file. */
  take(path: string, sessionId: string): void;
  release(): void;
}

/**
 * In the layout `own`, no lock is needed, because several processes may continue one session, each on a separate branch. In the layout `published`,
 * all other branches would be lost, because published tools show only the last branch.
 */
function holdOf({ sessionLayout, sessionPersistence = true }: HeadlessOptions): Hold {
  const holds = sessionLayout === 'published' && sessionPersistence;
  let release: (() => void) | undefined;
  return {
    take(path, sessionId) {
      if (holds) release = lockSession(path, sessionId);
    },
    release: () => release?.(),
  };
}

async function openIn(
  options: HeadlessOptions,
  { cwd, env, warn }: SessionPlace,
  hold: Hold,
): Promise<OpenedSession | MissingSession> {
  const directory = sessionDirectory(options.sessionLayout, cwd, env);
  const { forkSession = false, sessionMirror = false, sessionPersistence = true } = options;
  const hostDirectory = sessionMirror && env['CLAUDE_CONFIG_DIR'] ? hostProjectDirectory(cwd, env) : undefined;
  const onRead = forkSession ? undefined : hold.take;
  const found = await (options.teleport === undefined
    ? findSession(options, { cwd, directory, hostDirectory, onRead })
    : teleportSession(options, { cwd, directory, env, warn, onWrite: hold.take }));
  if (found !== undefined && 'missing' in found) return found;

  const isResumed = found !== undefined && !forkSession;
  const sessionId = (isResumed ? found.sessionId : options.sessionId) ?? crypto.randomUUID();
  const path = isResumed ? found.path : join(directory, `${sessionId}.jsonl`);
  if (!isResumed && existsSync(path)) throw new Error(`Session ID ${sessionId} is already in use.`);
  const history = found?.history ?? [];
  const entrypoint = entrypointOf(env);
  const onCreate = () => hold.take(path, sessionId);
  const kept = { path, sessionId, cwd, exists: isResumed, history, entrypoint, onCreate };
  const file = sessionPersistence ? filesOf(kept, options) : undefined;
  const store = createTranscriptStore({ history, file, sessionId, warn });
  const close = () => {
    file?.close();
    hold.release();
  };
  const opened: OpenedSession = { sessionId, history, store, takeLoss: () => store.takeLoss(), close };
  return sessionPersistence ? { ...opened, transcriptPath: path } : opened;
}

/** Creates the session file and, in the layout `published`, the files of its subagents. */
function filesOf(kept: SessionFileOptions, { sessionLayout }: HeadlessOptions): SessionFile {
  const file = createSessionFile(kept);
  return sessionLayout === 'published' ? { ...file, ...createSubagentFiles(kept) } : file;
}
