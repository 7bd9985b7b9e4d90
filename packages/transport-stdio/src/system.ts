import { spawn, spawnSync } from 'node:child_process';
import { accessSync, constants, readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { atExit } from './at-exit.ts';

/** What starting a child needs of this machine, so that a test can be another one. */
export interface System {
  readonly platform: NodeJS.Platform;
  /** The Node that runs scripts. */
  readonly execPath: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  home(): string;
  isFolder(path: string): boolean;
  /** Whether it is a file, and one that may be executed where the system tells files apart by that. */
  isExecutable(path: string): boolean;
  isFile(path: string): boolean;
  readText(path: string): string;
  /** The names in a folder. */
  readFolder(path: string): readonly string[];
  /** What a link names, as it stands there. */
  readLink(path: string): string;
  readonly spawn: typeof spawn;
  readonly spawnSync: typeof spawnSync;
  /** Throws where nobody is there to get the signal; a negative pid is a group. */
  kill(pid: number, signal: NodeJS.Signals | 0): void;
  /** Has something done when this process exits, until the call that it gives. What is done there cannot wait for anything. */
  atExit(act: () => void): () => void;
}

/** This machine. A function, so that importing the package looks at nothing of the process. */
export function thisSystem(): System {
  const { platform, execPath, env } = process;
  return {
    platform,
    execPath,
    env,
    home: homedir,
    isFolder: (path) => holds(() => statSync(path).isDirectory()),
    isExecutable: (path) => isFile(path) && holds(() => accessSync(path, constants.X_OK) === undefined),
    isFile,
    readText: (path) => readFileSync(path, 'utf8'),
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

/** What cannot be looked at is not there. */
function holds(test: () => boolean): boolean {
  try {
    return test();
  } catch {
    return false;
  }
}
