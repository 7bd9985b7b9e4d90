import { pid } from 'node:process';
import { readFile, rename, writeFile } from 'node:fs/promises';

/** Where a reader of a session is, kept in a file for the next one. */
export interface CursorFile {
  /** Keeps a later place, some time soon. */
  save(cursor: string): void;
  /** Settles when the last one is kept. Rejects where it cannot be. */
  flush(): Promise<void>;
}

/** What a cursor file says; undefined where there is none. Rejects for a file that is something else, or of another session. */
export async function readCursor(path: string, session: string): Promise<string | undefined> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  const [, of, cursor] = /^(\S+) (\d+)\n?$/.exec(text) ?? [];
  if (of === undefined) throw new Error(`${path} is no cursor file`);
  if (of !== session) throw new Error(`${path} is the cursor of another session, ${of}`);
  return cursor;
}

/** Keeps places in a file as `SESSION CURSOR`: for their owner alone, whole or not at all, one write at a time, and of those that wait the last. */
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
