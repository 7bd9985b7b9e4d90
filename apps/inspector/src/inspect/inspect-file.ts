import { basename } from 'node:path';
import { fileReason, refuseFile, WrongFileError } from '@proto/terminal/process';
import { type InspectedSessions, oneSession } from '../server/inspected-sessions.ts';
import { FileSession } from '../sessions/file-session.ts';

/**
 * Opens a recording, or NDJSON with one message a line. `name` stands in the advice about a file that is neither.
 *
 * @throws Error if the file cannot be read, and `WrongFileError` of `@proto/terminal/process` if it holds something else
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
    // The page shows that a file is empty, and follows the file: a program may just begin to write it.
    if (!(error instanceof WrongFileError && error.note.kind === 'empty')) {
      await session.close();
      throw error;
    }
  }
  return { sessions: oneSession('file', basename(file), session), close: () => session.close() };
}
