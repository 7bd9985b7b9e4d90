import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { verifies } from '@proto/requirements';
import { expect, vi } from 'vitest';

const HOST = fileURLToPath(new URL('host.mjs', import.meta.url));

/** Starts a host, and gives it with the group of its agent. */
async function startHost(end: string) {
  const host = spawn(process.execPath, [HOST, end], { stdio: ['ignore', 'pipe', 'ignore'] });
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
    const hosts = await Promise.all(['stay', 'exit', 'throw'].map(startHost));
    const [killed] = hosts;
    expect(lives(killed?.group as number)).toBe(true);
    killed?.host.kill('SIGKILL');
    await Promise.all(hosts.map(({ exited }) => exited));
    await vi.waitFor(() => expect(hosts.map(({ group }) => lives(group))).toEqual([false, false, false]), 20_000);
  },
  { timeout: 30_000 },
);
