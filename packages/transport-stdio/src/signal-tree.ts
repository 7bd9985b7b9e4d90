import type { ChildProcess } from 'node:child_process';
import { win32 } from 'node:path';
import { variableOf } from './child-environment.ts';
import type { Descendants } from './descendants.ts';
import type { System } from './system.ts';

// What is ended may have started another just before. Each time there is less that could.
const MAX_PASSES = 10;

/**
 * Signals a child and what it started; false where nobody was there, as far as can be told. The child leads a group of its own, so
 * this never reaches the caller. Who has left the group is found by `descendants`. Windows has no groups and no SIGTERM: there the tree is
 * ended, while its root is there to be found.
 */
export function signalTree(
  child: ChildProcess,
  signal: 'SIGTERM' | 'SIGKILL' | 0,
  system: System,
  descendants: Descendants,
): boolean {
  const { pid } = child;
  if (pid === undefined) return false;
  if (system.platform === 'win32') return signal !== 0 && endWindowsTree(child, system);
  // Ahead of the signal, which takes parents away from their children.
  let found = signal === 0 ? 0 : descendants.collect();
  const some = signalAll(pid, signal, system, descendants);
  // As long as the child has not exited there is a signal to come, after that. Then whoever is new may be the last to be told of.
  const hasExited = child.exitCode !== null || child.signalCode !== null;
  for (let pass = 1; signal !== 0 && hasExited && pass < MAX_PASSES; pass++) {
    const more = descendants.collect();
    if (more === 0) break;
    found += more;
    signalAll(pid, signal, system, descendants);
  }
  // One that was found and has left may have started another: that takes a further look.
  return some || found > 0;
}

function signalAll(
  pid: number,
  signal: 'SIGTERM' | 'SIGKILL' | 0,
  { kill }: System,
  descendants: Descendants,
): boolean {
  let inGroup = true;
  try {
    kill(-pid, signal);
  } catch {
    inGroup = false;
  }
  return descendants.signal(signal) || inGroup;
}

function endWindowsTree({ pid, exitCode, signalCode }: ChildProcess, { platform, env, spawn }: System): boolean {
  // Its number may be somebody else's already.
  if (exitCode !== null || signalCode !== null) return false;
  const folder = variableOf(env, 'SYSTEMROOT', platform);
  // By its whole path: a bare name is looked for in the working directory first.
  const program = folder === undefined ? 'taskkill' : win32.join(folder, 'System32', 'taskkill.exe');
  spawn(program, ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true }).on('error', () => {});
  return true;
}
