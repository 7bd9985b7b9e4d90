import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { expect, test } from 'vitest';

import { AgentChannel, type HostAct } from './agent-channel.ts';

const HELD_UP_MS = 500;

test('news that come late say how late they are', async () => {
  const acts: HostAct[] = [];
  const channel = await AgentChannel.open((act) => acts.push(act));
  const agent = spawn(channel.path, [], { stdio: ['pipe', 'ignore', 'ignore'] });
  const exited = once(agent, 'exit');
  await expect.poll(() => acts.map(({ kind }) => kind), { timeout: 10_000 }).toEqual(['start']);
  // While this thread is blocked, the agent gets the signal and reports the signal.
  agent.kill('SIGTERM');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, HELD_UP_MS);
  await expect.poll(() => acts.length, { timeout: 10_000 }).toBe(2);
  const [, news] = acts;
  await channel.close();
  await exited;
  expect(news).toMatchObject({ kind: 'signal', signal: 'SIGTERM' });
  expect((news as { lateMs: number }).lateMs).toBeGreaterThan(HELD_UP_MS / 5);
});

test('a report that its process has not finished is left out', async () => {
  const acts: HostAct[] = [];
  const channel = await AgentChannel.open((act) => acts.push(act));
  const [, address = ''] = /ADDRESS = (".*?");/.exec(await readFile(channel.path, 'utf8')) ?? [];
  const process = connect(JSON.parse(address) as string);
  process.end('{"argv":["a"]}\n{"input":"YWJj');
  await expect.poll(() => acts, { timeout: 10_000 }).toEqual([{ kind: 'start', argv: ['a'] }, { kind: 'gone' }]);
  await channel.close();
});
