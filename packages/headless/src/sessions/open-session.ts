import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { projectDirectory } from '../environment-variables.ts';
import { teleportSession } from '../teleport/teleport-session.ts';
import { findSession } from './find-session.ts';
import { hostProjectDirectory } from './host-transcript.ts';
import { createKeptStore } from './kept-store.ts';
import type { OpenSession } from './opened-session.ts';
import { createSessionFile } from './session-file.ts';

/** Opens a session that is kept in a file of its own, in the folder of its working directory. */
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
