import { existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { WireMessage } from '@proto/core/framing';
import { isUuid } from '../flags/check-options.ts';
import type { HeadlessOptions } from '../flags/options.ts';
import { cutBranch } from './cut-branch.ts';
import type { MissingSession } from './opened-session.ts';
import { readTranscript } from './transcript.ts';

/** A session that can go on: its file, and its messages. */
export interface FoundSession {
  readonly path: string;
  readonly sessionId: string | undefined;
  readonly history: readonly WireMessage[];
}

/** The working directory, and the folder of its sessions. */
export interface SessionFolder {
  readonly cwd: string;
  readonly directory: string;
  /** The folder in which a host with a store of its own puts a session. A session there wins over a session of this agent. */
  readonly handed?: string | undefined;
}

/** Finds the session that `--resume` or `--continue` names; undefined without these flags. */
export async function findSession(
  options: HeadlessOptions,
  folder: SessionFolder,
): Promise<FoundSession | MissingSession | undefined> {
  const { resume, resumeSessionAt, resumeDropsTurn } = options;
  if (resume === undefined && options.continue !== true) return undefined;
  if (resume === true) throw new Error('--resume needs the ID of a session here, or the path of its file');
  const asked = resume !== undefined && isUuid(resume) ? { sessionId: resume } : {};
  const path = resume === undefined ? await newestIn(folder.directory) : pathTo(resume, folder);
  const entries = path !== undefined && existsSync(path) ? await readTranscript(path) : [];
  const last = entries.at(-1);
  if (path === undefined || last === undefined) return { missing: notFound(resume), ...asked };
  const cut = cutBranch(entries, { at: resumeSessionAt, dropsTurn: resumeDropsTurn });
  if ('missing' in cut) return { ...cut, ...asked };
  return {
    path,
    sessionId: last.sessionId ?? asked.sessionId,
    history: cut.entries.map(({ message }) => message),
  };
}

function notFound(resume: string | undefined): string {
  return resume === undefined
    ? 'No conversation found to continue'
    : `No conversation found with session ID: ${resume}`;
}

/** Gives the file of an id; undefined for a text that is no id, which could lead out of the folder. */
function pathTo(resume: string, { cwd, directory, handed }: SessionFolder): string | undefined {
  if (isUuid(resume)) {
    const given = handed === undefined ? undefined : join(handed, `${resume}.jsonl`);
    return given !== undefined && existsSync(given) ? given : join(directory, `${resume}.jsonl`);
  }
  return resume.endsWith('.jsonl') ? resolve(cwd, resume) : undefined;
}

/** Gives the session that was written to last. */
async function newestIn(directory: string): Promise<string | undefined> {
  let newest: { path: string; at: bigint } | undefined;
  for (const name of existsSync(directory) ? await readdir(directory) : []) {
    if (!name.endsWith('.jsonl')) continue;
    const path = join(directory, name);
    const { mtimeNs: at } = await stat(path, { bigint: true });
    if (newest === undefined || at > newest.at) newest = { path, at };
  }
  return newest?.path;
}
