import { createHash } from 'node:crypto';
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';

/** The variables of a process. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** Whether a variable switches something on. */
export function isOn(value: string | undefined): boolean {
  return value !== undefined && ['1', 'true', 'yes', 'on'].includes(value.toLowerCase());
}

const MAX_NAME_LENGTH = 64;

/** Where the sessions of a project are: in the state directory, in a folder of its working directory. */
export function projectDirectory(cwd: string, env: Variables): string {
  return join(stateDirectory(cwd, env), 'projects', nameOf(cwd));
}

/** What is kept from run to run: `$SJP_HOME`, else `$XDG_STATE_HOME/sjp`, else `~/.local/state/sjp`. */
export function stateDirectory(cwd: string, { SJP_HOME, XDG_STATE_HOME, HOME }: Variables): string {
  if (SJP_HOME) return resolve(cwd, SJP_HOME);
  // A relative one is to be ignored, says its specification.
  if (XDG_STATE_HOME && isAbsolute(XDG_STATE_HOME)) return join(XDG_STATE_HOME, 'sjp');
  return join(HOME || homedir(), '.local', 'state', 'sjp');
}

/** Readable, and with a hash, since `/a/b` and `/a-b` read alike. */
function nameOf(cwd: string): string {
  const readable = cwd.replace(/[^a-zA-Z0-9]+/g, '-').slice(-MAX_NAME_LENGTH);
  const hash = createHash('sha256').update(cwd).digest('hex').slice(0, 12);
  return `${readable.replace(/^-+|-+$/g, '')}-${hash}`.replace(/^-/, '');
}
