import { fchmodSync, fstatSync, openSync } from 'node:fs';

/**
 * Begins a file that its owner alone can read, and gives its descriptor. The permissions of an open are for a new file only: one that is
 * there already, and was open to others, is taken back from them. Throws where that, or writing, is not possible.
 */
export function openPrivateFile(path: string): number {
  const file = openSync(path, 'w', 0o600);
  // A pipe or a device belongs to all who use it.
  if (fstatSync(file).isFile()) fchmodSync(file, 0o600);
  return file;
}
