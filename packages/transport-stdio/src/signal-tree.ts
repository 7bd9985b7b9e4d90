import type { ChildProcess } from 'node:child_process';
import { win32 } from 'node:path';
import { variableOf } from './child-environment.ts';
import type { Descendants } from './descendants.ts';
import type { System } from './system.ts';

// What is ended may have started another just before. Each time there is less that could.
const MAX_PASSES = 10;
// For the program that ends a tree on Windows, when this process waits for it at its exit.
const MAX_KILL_MS = 2000;

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
  for (let pass = 1; signal !== 0 && hasExited(child) && pass < MAX_PASSES; pass++) {
    const more = descendants.collect();
    if (more === 0) break;
    found += more;
    signalAll(pid, signal, system, descendants);
  }
  // One that was found and has left may have started another: that takes a further look.
  return some || found > 0;
}

/**
 * Kills a child and what it started, in one go: for the exit of this process, where nothing can be waited for. Where what has left the group
 * cannot be found this does nothing, because the child alone can end that: it goes on with what SIGTERM has it do, and `watchParent` kills it.
 */
export function killTree(child: ChildProcess, system: System, descendants: Descendants): void {
  const { pid } = child;
  if (pid === undefined) return;
  if (system.platform === 'win32' && !hasExited(child)) {
    const { file, args } = windowsKill(child, system);
    system.spawnSync(file, args, { stdio: 'ignore', windowsHide: true, timeout: MAX_KILL_MS });
  }
  if (system.platform !== 'linux') return;
  descendants.collect();
  let pass = 0;
  do signalAll(pid, 'SIGKILL', system, descendants);
  while (descendants.collect() > 0 && ++pass < MAX_PASSES);
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
  return descendants.signal(signal) ?? inGroup;
}

function endWindowsTree(child: ChildProcess, system: System): boolean {
  // Its number may be somebody else's already.
  if (hasExited(child)) return false;
  const { file, args } = windowsKill(child, system);
  system.spawn(file, args, { stdio: 'ignore', windowsHide: true }).on('error', () => {});
  return true;
}

function windowsKill({ pid }: ChildProcess, { platform, env }: System) {
  const folder = variableOf(env, 'SYSTEMROOT', platform);
  // By its whole path: a bare name is looked for in the working directory first.
  const file = folder === undefined ? 'taskkill' : win32.join(folder, 'System32', 'taskkill.exe');
  return { file, args: ['/pid', String(pid), '/T', '/F'] };
}

/** A process that has left and one that was killed look different. */
function hasExited({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}
