import { appendFileSync, closeSync, fchmodSync, fstatSync, mkdirSync, openSync, readSync } from 'node:fs';
import { dirname } from 'node:path';
import type { WireMessage } from '@proto/core/framing';
import { encodeEntry, uuidOf } from './transcript-entry.ts';

/** What is written to a session file, and where. */
export interface SessionFileOptions {
  readonly path: string;
  readonly sessionId: string;
  readonly cwd: string;
  /** Of a session that goes on in the file it has; a new one has none yet. */
  readonly exists: boolean;
  /** What was said before: the conversation goes on behind its last message. A new file begins with it. */
  readonly history: readonly WireMessage[];
}

/** The file of one session, which this process adds to. */
export interface SessionFile {
  /** Writes one line, at once. The first one makes the file of a new session, for this user alone. */
  append(message: WireMessage): void;
  close(): void;
}

/**
 * Makes what adds to a session file; nothing is written before the first message. Each message is one write at the file's end, so
 * that the lines of several processes stay whole. `append` throws what the file system says: `EEXIST` when another process has
 * begun the same session.
 */
export function createSessionFile({ path, sessionId, cwd, exists, history }: SessionFileOptions): SessionFile {
  let file: number | undefined;
  let parentUuid = exists ? uuidOf(history.at(-1)) : null;

  function lineOf(message: WireMessage): string {
    const line = encodeEntry(message, { parentUuid, sessionId, cwd });
    parentUuid = uuidOf(message);
    return line;
  }

  function open(): { file: number; start: string } {
    if (exists) {
      const opened = openSync(path, 'a+', 0o600);
      takeFromOthers(opened);
      return { file: opened, start: endsInMiddle(opened) ? '\n' : '' };
    }
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    return { file: openSync(path, 'ax', 0o600), start: history.map(lineOf).join('') };
  }

  return {
    append(message) {
      let start = '';
      if (file === undefined) ({ file, start } = open());
      appendFileSync(file, start + lineOf(message));
    },
    close() {
      if (file !== undefined) closeSync(file);
      file = undefined;
    },
  };
}

/** A file that came from elsewhere may be open to others, and what is said from now on is for this user alone. */
function takeFromOthers(file: number): void {
  if ((fstatSync(file).mode & 0o077) !== 0) fchmodSync(file, 0o600);
}

/** Whether the last line was cut, by the end of the process that wrote it; not one that is being written at this moment. */
function endsInMiddle(file: number): boolean {
  let before = -1;
  for (;;) {
    const { size } = fstatSync(file);
    if (size === 0 || endsLine(file, size)) return false;
    if (size === before) return true;
    before = size;
    // Waits for the write of another process, if one is under way: what it has written of its line so far shows already.
    fchmodSync(file, 0o600);
  }
}

function endsLine(file: number, size: number): boolean {
  const last = Buffer.alloc(1);
  return readSync(file, last, 0, 1, size - 1) === 1 && last[0] === 0x0a;
}
