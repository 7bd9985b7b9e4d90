import { stat } from 'node:fs/promises';

/** What to say of a file with a secret in it that other users of this machine can use; undefined for one that is its owner's alone. */
export async function openToOthers(file: string): Promise<string | undefined> {
  // Windows has no such permissions, and what is no file, such as a pipe of the shell, is nobody else's.
  const found = process.platform === 'win32' ? undefined : await stat(file).catch(() => undefined);
  const mode = found?.isFile() ? found.mode & 0o777 : 0;
  return (mode & 0o077) === 0 ? undefined : adviceOn(file, mode);
}

/** What is wrong with the permissions of a file, and the command that mends it. */
export function adviceOn(file: string, mode: number): string {
  return `${file} is open to other users of this machine (mode ${mode.toString(8)}): run chmod 600 ${quoted(file)}`;
}

/** As a word of the shell. */
function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
