import { spawn, spawnSync } from 'node:child_process';
import {
  accessSync,
  closeSync,
  constants,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  readSync,
  statSync,
} from 'node:fs';
import { homedir } from 'node:os';

/** Tests pass a fake machine. */
export interface System {
  readonly platform: NodeJS.Platform;
  readonly execPath: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  home(): string;
  isFolder(path: string): boolean;
  /** On Windows, every file may be executed. */
  isExecutable(path: string): boolean;
  isFile(path: string): boolean;
  /** The text of a file, or of its first bytes. */
  readText(path: string, maxBytes?: number): string;
  readFolder(path: string): readonly string[];
  /** The unresolved target of a link. */
  readLink(path: string): string;
  readonly spawn: typeof spawn;
  readonly spawnSync: typeof spawnSync;
  /** Sends a signal to a process, or to a process group if `pid` is negative. Throws if no such process or group exists. */
  kill(pid: number, signal: NodeJS.Signals | 0): void;
  /** Calls `callback` at the exit of this process, when nothing can be awaited. Returns the function that removes the callback. */
  atExit(callback: () => void): () => void;
}

/** A function, because importing the package must have no effect on the process. */
export function thisSystem(): System {
  const { platform, execPath, env } = process;
  return {
    platform,
    execPath,
    env,
    home: homedir,
    isFolder: (path) => holds(() => statSync(path).isDirectory()),
    isExecutable: (path) => isFile(path) && isAllowed(() => accessSync(path, constants.X_OK)),
    isFile,
    readText: (path, maxBytes) => (maxBytes === undefined ? readFileSync(path, 'utf8') : readHead(path, maxBytes)),
    readFolder: (path) => readdirSync(path),
    readLink: (path) => readlinkSync(path),
    spawn,
    spawnSync,
    atExit,
    kill: (pid, signal) => void process.kill(pid, signal),
  };
}

function isFile(path: string): boolean {
  return holds(() => statSync(path).isFile());
}

function readHead(path: string, maxBytes: number): string {
  const file = openSync(path, 'r');
  try {
    const head = Buffer.alloc(maxBytes);
    return head.toString('utf8', 0, readSync(file, head, 0, maxBytes, 0));
  } finally {
    closeSync(file);
  }
}

/** Whether access to a file succeeds. The returned value is ignored: `accessSync` returns `undefined` in Node, and null in Bun. */
export function isAllowed(access: () => unknown): boolean {
  return holds(() => {
    access();
    return true;
  });
}

function holds(test: () => boolean): boolean {
  try {
    return test();
  } catch {
    return false;
  }
}

const exitCallbacks = new Set<() => void>();

function atExit(callback: () => void): () => void {
  // One listener serves all callbacks, because Node warns of a leak at the eleventh listener.
  if (exitCallbacks.size === 0) process.on('exit', runExitCallbacks);
  exitCallbacks.add(callback);
  return () => {
    exitCallbacks.delete(callback);
    if (exitCallbacks.size === 0) process.off('exit', runExitCallbacks);
  };
}

function runExitCallbacks(): void {
  for (const callback of exitCallbacks) callback();
}
