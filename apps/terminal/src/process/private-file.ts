import { stat } from 'node:fs/promises';
import { platform } from 'node:os';

/** Returns advice about a file with a secret if other users of this machine can use the file; undefined if only its owner can use it. */
export async function openToOthers(file: string): Promise<string | undefined> {
  // Windows has no such permissions. A pipe that the shell opens, as in `<(command)`, is accessible only to its owner, so only regular files
  // are checked.
  const found = platform() === 'win32' ? undefined : await stat(file).catch(() => undefined);
  const mode = found?.isFile() ? found.mode & 0o777 : 0;
  return (mode & 0o077) === 0 ? undefined : adviceOn(file, mode);
}

/** Returns what is wrong with the permissions of a file, and the command that corrects them. */
export function adviceOn(file: string, mode: number): string {
  return `${file} is accessible to other users of this machine (mode ${mode.toString(8)}): run chmod 600 ${quotedForShell(file)}`;
}

function quotedForShell(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
