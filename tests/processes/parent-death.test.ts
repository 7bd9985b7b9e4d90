import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { verifies } from '@proto/requirements';
import { expect, onTestFinished, test, vi } from 'vitest';

const HOST = fileURLToPath(new URL('host.mjs', import.meta.url));

/** Starts a host, and gives it with the group of its agent. */
async function startHost(end: string, ...seconds: string[]) {
  const host = spawn(process.execPath, [HOST, end, ...seconds], { stdio: ['ignore', 'pipe', 'ignore'] });
  const exited = once(host, 'exit');
  const [line] = (await once(host.stdout, 'data')) as [Buffer];
  return { host, exited, group: Number(line) };
}

/** Counts those too that have ended and were not reaped. */
function lives(group: number): boolean {
  try {
    process.kill(-group, 0);
    return true;
  } catch {
    return false;
  }
}

verifies(
  'R-7.2',
  'an agent that hears nothing ends with its host, killed, in the middle of its work, or by a defect',
  async () => {
    const hosts = await Promise.all(['stay', 'exit', 'throw'].map((end) => startHost(end)));
    const [killed] = hosts;
    expect(lives(killed?.group as number)).toBe(true);
    killed?.host.kill('SIGKILL');
    await Promise.all(hosts.map(({ exited }) => exited));
    await vi.waitFor(() => expect(hosts.map(({ group }) => lives(group))).toEqual([false, false, false]), 20_000);
  },
  { timeout: 30_000 },
);

test.runIf(process.platform === 'linux')(
  'what an agent has started in sessions of its own ends with its host too, and nobody else',
  { timeout: 40_000 },
  async () => {
    const seconds = `3601.${process.pid}`;
    const sleepers = () => {
      const rows = execFileSync('ps', ['-eo', 'pid=,stat=,args='], { encoding: 'utf8' }).trim().split('\n');
      return rows
        .filter((row) => row.includes(`sleep ${seconds}`) && !/^\s*\d+ Z/.test(row))
        .map((row) => Number.parseInt(row, 10));
    };
    onTestFinished(() => sleepers().forEach((pid) => process.kill(pid, 'SIGKILL')));
    const other = spawn('sleep', ['3601'], { detached: true, stdio: 'ignore' });
    onTestFinished(() => void other.kill('SIGKILL'));
    const { host, exited, group } = await startHost('stay', seconds);
    // The agent has them among its arguments, and the last one is a shell and its sleep.
    await vi.waitFor(() => expect(sleepers().length).toBeGreaterThanOrEqual(4), 10_000);
    host.kill('SIGKILL');
    await exited;
    await vi.waitFor(() => expect([lives(group), sleepers()]).toEqual([false, []]), 20_000);
    expect([other.exitCode, other.signalCode]).toEqual([null, null]);
  },
);
