import { pid } from 'node:process';
import { readFile, rename, writeFile } from 'node:fs/promises';

/** Keeps the last cursor of a reader of a session in a file. */
export interface CursorFile {
  /** Starts to write a later cursor. */
  save(cursor: string): void;
  /** Fulfils when the last cursor is written. Rejects if the file cannot be written. */
  flush(): Promise<void>;
}

/** Reads the cursor in a file; undefined if the file does not exist. Rejects if the file contains anything else, or the cursor of another session. */
export async function readCursor(path: string, session: string): Promise<string | undefined> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  const [, of, cursor] = /^(\S+) (\d+(?:@[\w-]+)?)\n?$/.exec(text) ?? [];
  if (of === undefined) throw new Error(`${path} is not a cursor file: give another file`);
  if (of !== session) throw new Error(`${path} contains the cursor of another session, ${of}: give another file`);
  return cursor;
}

/**
 * Creates a cursor file. The file contains `SESSION CURSOR`, can be read only by its owner, and is replaced as a whole. If several cursors are saved
 * during a write, only the latest cursor is written after that write.
 */
export function createCursorFile(path: string, session: string): CursorFile {
  let wanted: string | undefined;
  let writing: Promise<void> | undefined;
  let failure: Error | undefined;
  async function write(): Promise<void> {
    const next = `${path}.${pid}`;
    try {
      while (wanted !== undefined) {
        const cursor = wanted;
        wanted = undefined;
        await writeFile(next, `${session} ${cursor}\n`, { mode: 0o600 });
        await rename(next, path);
      }
    } catch (error) {
      failure = error as Error;
    }
    writing = undefined;
  }
  return {
    save(cursor) {
      wanted = cursor;
      writing ??= write();
    },
    async flush() {
      await writing;
      if (failure !== undefined) throw failure;
    },
  };
}
