import { join, parse } from 'node:path';
import { createTap, type Tap } from '@proto/remote/bridge';
import { openPrivateFile } from '@proto/terminal/process';
import type { BridgeOptions } from './bridge-plan.ts';

/**
 * Creates the file of a tap, which its owner alone can read.
 *
 * @throws Error of the file system where the file cannot be written.
 */
export function openTapFile(path: string, onError: (error: Error) => void): Tap {
  return createTap(openPrivateFile(path), onError);
}

/** Returns the file for one client of several: `wire.2.jsonl` for the second client, where `wire.jsonl` was named. */
export function tapFileOf(path: string, session: number): string {
  const { dir, name, ext } = parse(path);
  return join(dir, `${name}.${session}${ext}`);
}

/** Opens the taps of a bridge. */
export interface Taps {
  /** Returns the tap of a client, by its number; undefined where nothing is recorded. */
  open(session?: number): Tap | undefined;
}

/**
 * Creates the file of `--tap`, or later a file for each of many clients. `warn` is told of a client's file that cannot be written.
 *
 * @throws Error of the file system where the one file cannot be written.
 */
export function tapsOf({ tap: file, multi = false }: BridgeOptions, warn: (text: string) => void): Taps {
  if (file === undefined) return { open: () => undefined };
  const openFile = (path: string) => openTapFile(path, ({ message }) => warn(`the tap has ended: ${message}`));
  if (!multi) {
    const tap = openFile(file);
    return { open: () => tap };
  }
  return {
    open(session = 0) {
      try {
        return openFile(tapFileOf(file, session));
      } catch (error) {
        warn(`there is no tap: ${(error as Error).message}`);
        return undefined;
      }
    },
  };
}
