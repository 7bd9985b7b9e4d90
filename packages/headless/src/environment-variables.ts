import { createHash } from 'node:crypto';
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';

/** The variables of a process. */
export type Variables = Readonly<Record<string, string | undefined>>;

export function isOn(value: string | undefined): boolean {
  return value !== undefined && ['1', 'true', 'yes', 'on'].includes(value.toLowerCase());
}

const MAX_NAME_LENGTH = 64;

/** Returns the folder for the sessions of a working directory, within the state directory. */
export function projectDirectory(cwd: string, env: Variables): string {
  return join(stateDirectory(cwd, env), 'projects', nameOf(cwd));
}

/**
 * Returns the folder for state that is kept between runs: `$SJP_HOME` if it is set, otherwise `$XDG_STATE_HOME/sjp`, otherwise `~/.local/state/sjp`.
 */
export function stateDirectory(cwd: string, { SJP_HOME, XDG_STATE_HOME, HOME }: Variables): string {
  if (SJP_HOME) return resolve(cwd, SJP_HOME);
  // The XDG specification says that programs must ignore a relative path.
  if (XDG_STATE_HOME && isAbsolute(XDG_STATE_HOME)) return join(XDG_STATE_HOME, 'sjp');
  return join(HOME || homedir(), '.local', 'state', 'sjp');
}

/** The name is readable, and includes a hash, because `/a/b` and `/a-b` have the same readable form. */
function nameOf(cwd: string): string {
  const readable = cwd.replace(/[^a-zA-Z0-9]+/g, '-').slice(-MAX_NAME_LENGTH);
  const hash = createHash('sha256').update(cwd).digest('hex').slice(0, 12);
  return `${readable.replace(/^-+|-+$/g, '')}-${hash}`.replace(/^-/, '');
}
