import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const HOST = fileURLToPath(new URL('host.mjs', import.meta.url));

/** Starts a host. Fulfils with the host and the process group of its agent once that group exists. */
export async function startHost(end: string, seconds?: string, env = process.env) {
  const args = seconds === undefined ? [end] : [end, seconds];
  const host = spawn(process.execPath, [HOST, ...args], { stdio: ['ignore', 'pipe', 'pipe'], env });
  let stderr = '';
  host.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const exited = once(host, 'close').then(([code]) => ({ code: code as number | null, stderr }));
  const [line] = (await once(host.stdout, 'data')) as [Buffer];
  return { host, exited, group: Number.parseInt(line.toString(), 10) };
}

let count = 0;

/** Chooses a number of seconds that no other process sleeps for. `pids` finds the processes that do; they are killed after the test. */
export function startSleepers() {
  const seconds = `3601.${process.pid}${++count}`;
  const pids = () => runningWhere((row) => row.includes(`sleep ${seconds}`));
  onTestFinished(() => pids().forEach((pid) => process.kill(pid, 'SIGKILL')));
  return { seconds, pids };
}

/** Returns the pids of a process group. */
export function membersOf(group: number): number[] {
  return runningWhere((row) => new RegExp(`^\\s*\\d+\\s+${group}\\s`).test(row));
}

/** Returns whether a process runs. A zombie process has ended. */
function runningWhere(holds: (row: string) => boolean): number[] {
  const rows = execFileSync('ps', ['-eo', 'pid=,pgid=,stat=,args='], { encoding: 'utf8' }).trim().split('\n');
  return rows.filter((row) => holds(row) && !/^\s*\d+\s+\d+\s+Z/.test(row)).map((row) => Number.parseInt(row, 10));
}
