import { fchmodSync, fstatSync, openSync } from 'node:fs';

/**
 * Creates or empties a file that only its owner can read, such as a recording, and returns its descriptor. If the file exists, the permissions of other
 * users are removed. A pipe or a device keeps its permissions.
 *
 * @throws {Error} the file system's error if the file cannot be opened.
 */
export function openPrivateFile(path: string): number {
  const file = openSync(path, 'w', 0o600);
  // A pipe or a device is shared with other programs, so its permissions are kept.
  if (fstatSync(file).isFile()) fchmodSync(file, 0o600);
  return file;
}
