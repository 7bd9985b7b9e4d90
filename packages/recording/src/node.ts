import { fchmodSync, fstatSync, openSync } from 'node:fs';

/**
 * Creates or empties a file that only its owner can read, such as a recording, and returns its descriptor. If the file exists, other users lose their
 * permissions for it. A pipe or a device keeps its permissions.
 *
 * @throws {Error} of the file system if the file cannot be opened.
 */
export function openPrivateFile(path: string): number {
  const file = openSync(path, 'w', 0o600);
  // Other programs use a pipe or a device.
  if (fstatSync(file).isFile()) fchmodSync(file, 0o600);
  return file;
}
