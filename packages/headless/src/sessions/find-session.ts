import { existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import type { WireMessage } from '@proto/core/framing';
import { isUuid } from '../flags/check-options.ts';
import type { HeadlessOptions } from '../flags/options.ts';
import { cutBranch } from './cut-branch.ts';
import type { MissingSession } from './opened-session.ts';
import { subagentRefusal } from './subagent-refusal.ts';
import { readTranscript } from './transcript.ts';

export interface FoundSession {
  readonly path: string;
  readonly sessionId: string | undefined;
  readonly history: readonly WireMessage[];
}

/** The working directory, and the folder of its sessions. */
export interface SessionFolder {
  readonly cwd: string;
  readonly directory: string;
  /**
   * The folder in which a host with its own session store stores a session. A session in this folder takes precedence over the agent's own sessions.
   */
  readonly hostDirectory?: string | undefined;
  /** Called before reading a session that will be continued. Throws if another process uses the session. */
  readonly onRead?: ((path: string, sessionId: string) => void) | undefined;
}

/** Returns `undefined` if neither `--resume` nor `--continue` is given. */
export async function findSession(
  options: HeadlessOptions,
  folder: SessionFolder,
): Promise<FoundSession | MissingSession | undefined> {
  const { resume, resumeSessionAt, resumeDropsTurn } = options;
  if (resume === undefined && options.continue !== true) return undefined;
  if (resume === true) throw new Error('--resume needs the ID of a local session, or the path of its file');
  const asked = resume !== undefined && isUuid(resume) ? { sessionId: resume } : {};
  const path = resume === undefined ? await lastSaidIn(folder.directory) : pathTo(resume, folder);
  if (path === undefined || !existsSync(path)) return { missing: notFound(resume), ...asked };
  const named = idIn(path);
  folder.onRead?.(path, named ?? path);
  const entries = await readTranscript(path);
  const last = entries.at(-1);
  if (last === undefined)
    return { missing: (await subagentRefusal(path, folder.directory)) ?? notFound(resume), ...asked };
  const cut = cutBranch(entries, { at: resumeSessionAt, dropsTurn: resumeDropsTurn });
  if ('missing' in cut) return { ...cut, ...asked };
  return {
    path,
    // The lines in a copied file still contain the id of the original session.
    sessionId: named ?? (isUuid(last.sessionId ?? '') ? last.sessionId : undefined),
    history: cut.entries.map(({ message }) => message),
  };
}

function notFound(resume: string | undefined): string {
  return resume === undefined
    ? 'No conversation found to continue'
    : `No conversation found with session ID: ${resume}`;
}

/** Returns `undefined` for a text that is neither an id nor a path, because it could point outside the folder. */
function pathTo(resume: string, { cwd, directory, hostDirectory }: SessionFolder): string | undefined {
  if (isUuid(resume)) {
    const given = hostDirectory === undefined ? undefined : join(hostDirectory, `${resume}.jsonl`);
    return given !== undefined && existsSync(given) ? given : join(directory, `${resume}.jsonl`);
  }
  return resume.endsWith('.jsonl') ? resolve(cwd, resume) : undefined;
}

/** Skips files without a conversation, and subagent files, which other agents store in this folder. */
async function lastSaidIn(directory: string): Promise<string | undefined> {
  const found: { path: string; at: bigint }[] = [];
  for (const name of existsSync(directory) ? await readdir(directory) : []) {
    const path = join(directory, name);
    if (idIn(path) !== undefined) found.push({ path, at: (await stat(path, { bigint: true })).mtimeNs });
  }
  for (const { path } of found.toSorted((one, other) => (one.at < other.at ? 1 : -1))) {
    if ((await readTranscript(path)).length > 0) return path;
  }
  return undefined;
}

/** Returns `undefined` if the name contains no session id. */
function idIn(path: string): string | undefined {
  const name = basename(path, '.jsonl');
  return path.endsWith('.jsonl') && isUuid(name) ? name : undefined;
}
