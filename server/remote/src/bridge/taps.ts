import { join, parse } from 'node:path';
import { openPrivateFile } from '@proto/recording/node';
import { createTap, type Tap } from './tap.ts';

export interface Taps {
  /** Returns the tap of a host, by its number; undefined if nothing is recorded. */
  open(session?: number): Tap | undefined;
}

/** Returns the file for one host of several: `wire.2.jsonl` for the second host if `wire.jsonl` was named. */
export function tapFileOf(path: string, session: number): string {
  const { dir, name, ext } = parse(path);
  return join(dir, `${name}.${session}${ext}`);
}

/**
 * Opens a tap. Creates a file that only its owner can read. If there are several hosts, such a file is created later for each of them. `warn` is
 * called for a tap that ended early, and for a host's file that cannot be written.
 *
 * @throws the error of the file system if the file of a single host cannot be written.
 */
export function openTaps(tap: string | Tap | undefined, isForSeveral: boolean, warn: (text: string) => void): Taps {
  if (typeof tap !== 'string') return { open: () => tap };
  const openFile = (path: string) =>
    createTap(openPrivateFile(path), ({ message }) => warn(`the recording of the bridge has stopped: ${message}`));
  if (!isForSeveral) {
    const only = openFile(tap);
    return { open: () => only };
  }
  return {
    open(session = 0) {
      try {
        return openFile(tapFileOf(tap, session));
      } catch (error) {
        warn(`the file for the recording cannot be opened: ${(error as Error).message}`);
        return undefined;
      }
    },
  };
}
