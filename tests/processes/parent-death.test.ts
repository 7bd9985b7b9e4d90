import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { verifies } from '@proto/test-support/verifies';
import { expect, onTestFinished, test, vi } from 'vitest';
import { membersOf, startHost, startSleepers } from './start-host.ts';

verifies(
  'PROC-6',
  'an agent that ignores its input and SIGTERM ends when its host is killed, exits or crashes',
  async () => {
    const hosts = await Promise.all(['stay', 'exit', 'throw'].map((end) => startHost(end)));
    const [killed] = hosts;
    expect(membersOf(killed?.group as number)).not.toEqual([]);
    killed?.host.kill('SIGKILL');
    await Promise.all(hosts.map(({ exited }) => exited));
    await vi.waitFor(() => expect(hosts.flatMap(({ group }) => membersOf(group))).toEqual([]), 20_000);
  },
  { timeout: 30_000 },
);

test.runIf(process.platform === 'linux')(
  'processes that an agent started in new sessions end with the host, and other processes do not',
  { timeout: 40_000 },
  async () => {
    const { seconds, pids } = startSleepers();
    const other = spawn('sleep', ['3601'], { detached: true, stdio: 'ignore' });
    onTestFinished(() => void other.kill('SIGKILL'));
    const { host, exited, group } = await startHost('stay', seconds);
    // The number of seconds is also an argument of the agent. The last process is a shell with its `sleep`.
    await vi.waitFor(() => expect(pids().length).toBeGreaterThanOrEqual(4), 10_000);
    host.kill('SIGKILL');
    await exited;
    await vi.waitFor(() => expect([membersOf(group), pids()]).toEqual([[], []]), 20_000);
    expect([other.exitCode, other.signalCode]).toEqual([null, null]);
  },
);

test.runIf(process.platform === 'linux')(
  'processes that an agent started before it was marked end with the host too',
  { timeout: 40_000 },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'late-mark-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    // This program delays the marking of the agent until its first process runs.
    const wait = 'until [ -e "$0.go" ]; do sleep 0.05; done';
    writeFileSync(join(folder, 'prlimit'), `#!/bin/sh\n${wait}\nexec /usr/bin/prlimit "$@"\n`, { mode: 0o755 });
    const { seconds, pids } = startSleepers();
    const PATH = [folder, process.env['PATH']].join(delimiter);
    const { host, exited, group } = await startHost('early', seconds, { ...process.env, PATH });
    await vi.waitFor(() => expect(pids().length).toBeGreaterThanOrEqual(2), 10_000);
    writeFileSync(join(folder, 'prlimit.go'), '');
    host.kill('SIGKILL');
    await exited;
    await vi.waitFor(() => expect([membersOf(group), pids()]).toEqual([[], []]), 20_000);
  },
);
