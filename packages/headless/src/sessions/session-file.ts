import { appendFileSync, closeSync, fchmodSync, fstatSync, mkdirSync, openSync, readSync } from 'node:fs';
import { dirname } from 'node:path';
import { type SessionTitle, titleEntry } from '@proto/agent';
import { encodeLine, type WireMessage } from '@proto/core/framing';
import { encodeEntry, uuidOf } from './transcript-entry.ts';

export interface SessionFileOptions {
  readonly path: string;
  readonly sessionId: string;
  readonly cwd: string;
  /** True if the session is continued, so that the file already exists. */
  readonly exists: boolean;
  /** The conversation continues after the last of these messages. A new file begins with them. */
  readonly history: readonly WireMessage[];
  /** Readers use this value to distinguish sessions of programs from sessions of people. See `entrypointOf`. */
  readonly entrypoint?: string | undefined;
  /** Called before a new file is created. Throws if another process uses the session. */
  readonly onCreate?: () => void;
}

export interface SessionFile {
  /** Writes the line immediately. The first line of a new session creates the file, which only this user can read. */
  append(message: WireMessage): void;
  /** The title of a new session is written after its first message. */
  setTitle(title: SessionTitle): void;
  /** A message of a subagent is not part of the conversation. */
  appendSubagent?(message: WireMessage, agentID: string): void;
  close(): void;
}

/**
 * Nothing is written before the first message. Each message is appended to the file with one write, so that lines from several processes are not
 * mixed. `append` throws the file system's error: `EEXIST` if another process has started the same session.
 */
export function createSessionFile(options: SessionFileOptions): SessionFile {
  const { path, sessionId, cwd, exists, history, entrypoint, onCreate } = options;
  let file: number | undefined;
  let parentUuid = exists ? uuidOf(history.at(-1)) : null;
  let waitingTitle: SessionTitle | undefined;

  function lineOf(message: WireMessage): string {
    const line = encodeEntry(message, { parentUuid, sessionId, cwd, entrypoint });
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
    onCreate?.();
    return { file: openSync(path, 'ax', 0o600), start: history.map(lineOf).join('') };
  }

  function write(line: () => string): void {
    let start = '';
    if (file === undefined) ({ file, start } = open());
    appendFileSync(file, start + line());
  }

  return {
    append(message) {
      write(() => lineOf(message));
      const title = waitingTitle;
      waitingTitle = undefined;
      if (title !== undefined) write(() => encodeLine(titleEntry(title, sessionId)));
    },
    setTitle(title) {
      if (file === undefined && !exists) waitingTitle = title;
      else write(() => encodeLine(titleEntry(title, sessionId)));
    },
    close() {
      if (file !== undefined) closeSync(file);
      file = undefined;
    },
  };
}

/** Removes the access of other users, because a file that was copied to this folder may be readable by them. */
function takeFromOthers(file: number): void {
  if ((fstatSync(file).mode & 0o077) !== 0) fchmodSync(file, 0o600);
}

/** The last line is incomplete if its writer has crashed. A line that is just being written is not considered incomplete. */
function endsInMiddle(file: number): boolean {
  let before = -1;
  for (;;) {
    const { size } = fstatSync(file);
    if (size === 0 || endsLine(file, size)) return false;
    if (size === before) return true;
    before = size;
    // If another process is in the middle of writing a line, the first part of the line is already visible. This call waits until the write has ended.
    fchmodSync(file, 0o600);
  }
}

function endsLine(file: number, size: number): boolean {
  const last = Buffer.alloc(1);
  return readSync(file, last, 0, 1, size - 1) === 1 && last[0] === 0x0a;
}
