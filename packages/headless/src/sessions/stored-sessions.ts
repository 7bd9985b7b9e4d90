import { existsSync } from 'node:fs';
import { open, readdir, rm, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import { parseLine, type WireMessage } from '@proto/core/framing';
import { projectDirectory, stateDirectory, type Variables } from '../environment-variables.ts';
import { isUuid } from '../flags/check-options.ts';
import { hostProjectDirectory } from './host-transcript.ts';
import { readTranscript } from './transcript.ts';

/** A conversation in a session file. */
export interface StoredSession {
  readonly sessionId: string;
  /** The working directory of the agent. */
  readonly cwd: string;
  /** The title that the agent or the user has given, or the first line of the first prompt. */
  readonly title: string;
  /** When the file was last changed, as an ISO 8601 text. */
  readonly updatedAt: string;
}

/** The session files of a user: those of this project's agents, and those in the folder that hosts use. */
export interface StoredSessions {
  /** The conversations of a working directory, or of all working directories, the newest first. */
  list(cwd: string | undefined): Promise<readonly StoredSession[]>;
  /** The `user` and `assistant` messages of a conversation. `undefined` if no session file has this id. */
  read(sessionId: string, cwd: string): Promise<readonly WireMessage[] | undefined>;
  /** Deletes the session files with this id. A missing file is not an error. */
  delete(sessionId: string): Promise<void>;
}

// A file may be large. Its title and its first prompt are near its ends.
const PART_BYTES = 64 * 1024;
const MAX_TITLE_LENGTH = 100;

/** Finds the session files in the folders that the variables of the user name, such as `SJP_HOME` and `CLAUDE_CONFIG_DIR`. */
export function createStoredSessions(env: Variables): StoredSessions {
  const here = process.cwd();
  const configuration = env['CLAUDE_CONFIG_DIR'] ?? join(env['HOME'] || homedir(), '.claude');
  const roots = [join(stateDirectory(here, env), 'projects'), join(configuration, 'projects')];
  const foldersOf = (cwd: string) => [projectDirectory(cwd, env), hostProjectDirectory(cwd, env)];
  const allFolders = async () => (await Promise.all(roots.map(foldersIn))).flat();
  return {
    async list(cwd) {
      const folders = cwd === undefined ? await allFolders() : foldersOf(cwd);
      const files = (await Promise.all(folders.map(filesIn))).flat();
      const found = await Promise.all(files.map(async (path) => summaryOf(path, cwd)));
      return found
        .filter((session) => session !== undefined)
        .toSorted((one, other) => other.updatedAt.localeCompare(one.updatedAt));
    },
    async read(sessionId, cwd) {
      const path = pathsIn(foldersOf(cwd), sessionId).find(existsSync);
      if (path === undefined) return undefined;
      const entries = await readTranscript(path);
      return entries.length === 0 ? undefined : entries.map(({ message }) => message);
    },
    async delete(sessionId) {
      for (const path of pathsIn(await allFolders(), sessionId)) await rm(path, { force: true });
    },
  };
}

/** Empty for a text that is not an id, because such a text could point outside the folders. */
function pathsIn(folders: readonly string[], sessionId: string): readonly string[] {
  return isUuid(sessionId) ? folders.map((folder) => join(folder, `${sessionId}.jsonl`)) : [];
}

async function foldersIn(root: string): Promise<readonly string[]> {
  if (!existsSync(root)) return [];
  const entries = await readdir(root, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(root, name));
}

async function filesIn(folder: string): Promise<readonly string[]> {
  if (!existsSync(folder)) return [];
  const names = await readdir(folder);
  return names
    .filter((name) => name.endsWith('.jsonl') && isUuid(basename(name, '.jsonl')))
    .map((name) => join(folder, name));
}

/** `undefined` for a file without a prompt, and for a file of another working directory. */
async function summaryOf(path: string, wantedCwd: string | undefined): Promise<StoredSession | undefined> {
  const lines = await linesAtTheEnds(path);
  const cwd = lines.map((line) => line['cwd']).find((value) => typeof value === 'string');
  const title = lines.map(titleIn).findLast((text) => text !== undefined) ?? lines.map(promptIn).find(Boolean);
  if (title === undefined || (wantedCwd !== undefined && cwd !== undefined && cwd !== wantedCwd)) return undefined;
  const { mtime } = await stat(path);
  return {
    sessionId: basename(path, '.jsonl'),
    cwd: typeof cwd === 'string' ? cwd : (wantedCwd ?? ''),
    title,
    updatedAt: mtime.toISOString(),
  };
}

/** The lines in the first and in the last part of a file. Cut lines are left out. */
async function linesAtTheEnds(path: string): Promise<readonly WireMessage[]> {
  await using file = await open(path);
  const { size } = await file.stat();
  const buffer = Buffer.alloc(Math.min(size, PART_BYTES));
  const { bytesRead } = await file.read(buffer, 0, buffer.length, 0);
  const first = buffer.toString('utf8', 0, bytesRead);
  if (size <= PART_BYTES) return messagesIn(first);
  const end = await file.read(buffer, 0, buffer.length, Math.max(PART_BYTES, size - PART_BYTES));
  return [...messagesIn(first), ...messagesIn(buffer.toString('utf8', 0, end.bytesRead))];
}

function messagesIn(text: string): readonly WireMessage[] {
  return text.split('\n').flatMap((line) => parseLine(line).message ?? []);
}

function titleIn({ type, customTitle, aiTitle }: WireMessage): string | undefined {
  const title = type === 'custom-title' ? customTitle : type === 'ai-title' ? aiTitle : undefined;
  return typeof title === 'string' && title !== '' ? title : undefined;
}

function promptIn({ type, message, isMeta, isSidechain }: WireMessage): string | undefined {
  if (type !== 'user' || isMeta === true || isSidechain === true) return undefined;
  const content: unknown = (message as { readonly content?: unknown } | undefined)?.content;
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [{ type: 'text', text: content }];
  const texts = blocks.map((block) => (block as { readonly text?: unknown }).text);
  const text = texts.find((each) => typeof each === 'string' && each.trim() !== '');
  return typeof text === 'string' ? text.trim().split('\n')[0]?.slice(0, MAX_TITLE_LENGTH) : undefined;
}
