import { basename } from 'node:path';
import { fileReason, refuseFile, WrongFileError } from '@proto/terminal/process';
import { type InspectedSessions, oneSession } from '../server/inspected-sessions.ts';
import { FileSession } from '../sessions/file-session.ts';

/**
 * Opens a recording, or NDJSON with one message per line. `name` is the name of the program in the error for any other file.
 *
 * @throws Error if the file cannot be read, and `WrongFileError` of `@proto/terminal/process` if the file contains something else
 */
export async function inspectFile(
  file: string,
  name: string,
): Promise<{ readonly sessions: InspectedSessions; close(): Promise<void> }> {
  const session = await FileSession.open(file).catch((error: NodeJS.ErrnoException) => {
    throw Object.assign(new Error(`cannot read ${file}: ${fileReason(error)}`), { code: 'usage' });
  });
  try {
    await refuseFile(file, name, 'messages');
  } catch (error) {
    // An empty file is shown and followed, because a program may be about to write it.
    if (!(error instanceof WrongFileError && error.note.kind === 'empty')) {
      await session.close();
      throw error;
    }
  }
  return { sessions: oneSession('file', basename(file), session), close: () => session.close() };
}
