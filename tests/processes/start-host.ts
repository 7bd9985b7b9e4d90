import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const HOST = fileURLToPath(new URL('host.mjs', import.meta.url));

/** Starts a host, and gives it with the group of its agent, once that stands. */
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

/** Seconds that no other process sleeps for, and those that do, which are ended behind the test. */
export function startSleepers() {
  const seconds = `3601.${process.pid}${++count}`;
  const pids = () => runningWhere((row) => row.includes(`sleep ${seconds}`));
  onTestFinished(() => pids().forEach((pid) => process.kill(pid, 'SIGKILL')));
  return { seconds, pids };
}

/** The processes of a group. */
export function membersOf(group: number): number[] {
  return runningWhere((row) => new RegExp(`^\\s*\\d+\\s+${group}\\s`).test(row));
}

/** One that nobody has reaped yet has ended. */
function runningWhere(holds: (row: string) => boolean): number[] {
  const rows = execFileSync('ps', ['-eo', 'pid=,pgid=,stat=,args='], { encoding: 'utf8' }).trim().split('\n');
  return rows.filter((row) => holds(row) && !/^\s*\d+\s+\d+\s+Z/.test(row)).map((row) => Number.parseInt(row, 10));
}
