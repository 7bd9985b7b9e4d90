import type { ChildProcess } from 'node:child_process';
import { win32 } from 'node:path';
import { variableOf } from './child-environment.ts';
import type { Descendants } from './descendants.ts';
import type { System } from './system.ts';

// A process may start another process just before it is ended, so the tree is searched again, at most this many times.
const MAX_PASSES = 10;
// How long this process waits, while it exits, for the program that ends a process tree on Windows.
const MAX_KILL_MS = 2000;

/**
 * Signals a child and the processes that it started. Returns `false` if no such process is left, as far as this system can find out. The child leads
 * a separate process group, so the signal never reaches this process. `descendants` finds processes that have left the group. Windows has neither
 * process groups nor SIGTERM. On Windows the whole process tree is ended, as long as its root still exists.
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
  // Processes are collected before the signal, because afterwards they may have lost their parents and are harder to find.
  let found = signal === 0 ? 0 : descendants.collect();
  const some = signalAll(pid, signal, system, descendants);
  // While the child has not exited, another signal follows later. After its exit this may be the last search for new processes.
  for (let pass = 1; signal !== 0 && hasExited(child) && pass < MAX_PASSES; pass++) {
    const more = descendants.collect();
    if (more === 0) break;
    found += more;
    signalAll(pid, signal, system, descendants);
  }
  // A process that was found and has exited may have started another process, so the caller must search again.
  return some || found > 0;
}

/**
 * Immediately kills a child and the processes that it started, for use at the exit of this process, when nothing can be awaited. On systems where
 * processes outside of the group cannot be found, they are ended by the child, which may still be doing so after SIGTERM, and by `watchParent`.
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
  // The process id may now belong to another process.
  if (hasExited(child)) return false;
  const { file, args } = windowsKill(child, system);
  system.spawn(file, args, { stdio: 'ignore', windowsHide: true }).on('error', () => {});
  return true;
}

function windowsKill({ pid }: ChildProcess, { platform, env }: System) {
  const folder = variableOf(env, 'SYSTEMROOT', platform);
  // The full path, because Windows looks for a bare name in the working directory first.
  const file = folder === undefined ? 'taskkill' : win32.join(folder, 'System32', 'taskkill.exe');
  return { file, args: ['/pid', String(pid), '/T', '/F'] };
}

function hasExited({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}
