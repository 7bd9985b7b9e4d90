import type { ChildProcess } from 'node:child_process';
import { win32 } from 'node:path';
import { variableOf } from './child-environment.ts';
import type { System } from './system.ts';

/**
 * Signals a child and what it started; false where nobody was there, as far as can be told. The child leads a group of its own, so
 * this never reaches the caller. Windows has no groups and no SIGTERM: there the tree is ended, while its root is there to be found.
 */
export function signalTree(
  { pid, exitCode, signalCode }: ChildProcess,
  signal: 'SIGTERM' | 'SIGKILL' | 0,
  { platform, env, kill, spawn }: System,
): boolean {
  if (pid === undefined) return false;
  if (platform === 'win32') {
    // Its number may be somebody else's already.
    if (signal === 0 || exitCode !== null || signalCode !== null) return false;
    const folder = variableOf(env, 'SYSTEMROOT', platform);
    // By its whole path: a bare name is looked for in the working directory first.
    const program = folder === undefined ? 'taskkill' : win32.join(folder, 'System32', 'taskkill.exe');
    spawn(program, ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true }).on('error', () => {});
    return true;
  }
  try {
    kill(-pid, signal);
    return true;
  } catch {
    return false;
  }
}
