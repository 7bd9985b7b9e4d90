import { join, parse } from 'node:path';
import { createTap, type Tap } from '@proto/bridge';
import { openPrivateFile } from '@proto/terminal/process';

/** Begins the file of a tap, which its owner alone can read. Throws where it cannot be written. */
export function openTapFile(path: string, onError: (error: Error) => void): Tap {
  return createTap(openPrivateFile(path), onError);
}

/** Gives the file for one client of several: `wire.2.jsonl` for the second client, where `wire.jsonl` was named. */
export function tapFileOf(path: string, session: number): string {
  const { dir, name, ext } = parse(path);
  return join(dir, `${name}.${session}${ext}`);
}
