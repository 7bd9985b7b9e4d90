/** Tests that all descendants of an agent end with it, also outside its group and session. On Linux, with real processes. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeBatch } from '@proto/core/transport';
import { verifies } from '@proto/test-support/verifies';
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { runningProcesses } from './process-list.test-support.ts';
import { type SpawnedAgent, spawnAgent } from './spawn-agent.ts';

const folder = mkdtempSync(join(tmpdir(), 'strays-'));
afterAll(() => rmSync(folder, { recursive: true }));

function script(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return `sh ${path}`;
}

// Each process sleeps for the seconds in its argument, by which the test finds it.
const STUBBORN = script('stubborn', `trap '' TERM; while :; do sleep "$1"; done`);
const PARENT = script('parent', `setsid sleep "$1" & setsid ${STUBBORN} "$1" & sleep "$1"`);
const GRANDPARENT = script('grandparent', `setsid ${PARENT} "$1" & setsid ${PARENT} "$1" & sleep "$1"`);
const LEAVING = script('leaving', `setsid sleep "$1" & setsid ${STUBBORN} "$1" &`);

/** Children and their children, with and without new sessions. Some of them ignore SIGTERM. */
const FAMILY = `sleep $S & setsid sleep $S & ${PARENT} $S & setsid ${GRANDPARENT} $S &`;
const FAMILY_SIZE = 20;
// These share no parent, session, pipe or variable with the agent. They start after the agent has its mark.
const DAEMONS = `
  until grep -q 'file locks  *[0-9]' /proc/$$/limits; do sleep 0.01; done
  (setsid env -i /bin/${LEAVING} $S </dev/null >/dev/null 2>&1 &)
  (setsid /bin/${PARENT} $S </dev/null >/dev/null 2>&1 &)
`;
const DAEMONS_SIZE = 8;

let count = 0;

/** A sleep time that no other process uses, and a list of the running processes with that time in their arguments. */
function setUp() {
  const seconds = `3600.${process.pid}${++count}`;
  const left = () => runningProcesses().filter(({ command }) => command.includes(seconds));
  onTestFinished(() => {
    for (const { pid } of left()) process.kill(pid, 'SIGKILL');
  });
  return {
    seconds,
    left,
    areGone: () => vi.waitFor(() => expect(left().map(({ command }) => command)).toEqual([]), 5000),
    /** Starts an agent, and waits until it has started a number of processes. */
    async start(text: string, size: number): Promise<SpawnedAgent> {
      const args = ['-c', `S=$0; ${text}`, seconds];
      const agent = spawnAgent({ command: '/bin/sh', args, closeGraceMs: 50, killGraceMs: 100 });
      onTestFinished(() => agent.abort());
      await agent.opened;
      await vi.waitFor(() => expect(left().length).toBeGreaterThanOrEqual(size), 10_000);
      return agent;
    },
  };
}

describe.runIf(process.platform === 'linux')('a process outside the group of an agent', { timeout: 30_000 }, () => {
  const ends: readonly (readonly [string, string, (agent: SpawnedAgent) => unknown])[] = [
    ['after a close, when the agent exits by itself', 'cat', (agent) => agent.close()],
    ['after a close, when the agent has to be killed', STUBBORN, (agent) => agent.close()],
    ['after the end of its input', 'cat', (agent) => agent.end()],
    ['after an abort', 'cat', (agent) => agent.abort()],
    ['after a request to terminate', 'cat', (agent) => agent.child.terminate()],
    ['after another process has killed the agent', 'cat', ({ pid }) => process.kill(pid as number, 'SIGKILL')],
  ];
  test.each(ends)('ends %s', async (_, stays, end) => {
    const { start, areGone } = setUp();
    const agent = await start(`${FAMILY} ${DAEMONS} ${stays} $S`.replace('cat $S', 'cat'), FAMILY_SIZE + DAEMONS_SIZE);
    await end(agent);
    await agent.closed;
    await areGone();
  });

  verifies('PROC-5', 'ends also when the agent starts it and exits while it holds the pipes of the agent', async () => {
    for (const program of ['setsid sleep $S & exit 0', `setsid ${PARENT} $S & exit 3`, `(setsid ${LEAVING} $S &)`]) {
      const { seconds, areGone } = setUp();
      const agent = spawnAgent({ command: '/bin/sh', args: ['-c', `S=$0; read line; ${program}`, seconds] });
      await agent.send(encodeBatch({ type: 'go' }));
      await agent.closed;
      await areGone();
    }
  });

  test('of another agent or of the same user keeps running', async () => {
    const { start, areGone } = setUp();
    const others = setUp();
    const startOther = (command: string, detached: boolean) =>
      spawn('/bin/sh', ['-c', `S=$0; ${command}`, others.seconds], { detached, stdio: 'ignore' });
    startOther(`${PARENT} $S`, true);
    const agent = await start(`${FAMILY} cat`, FAMILY_SIZE);
    startOther(`(setsid ${LEAVING} $S &)`, false);
    const neighbour = await others.start(`${FAMILY} ${DAEMONS} cat`, FAMILY_SIZE + DAEMONS_SIZE + 8);
    const before = others.left();
    await agent.close();
    await areGone();
    const after = new Set(others.left().map(({ pid }) => pid));
    // A process that ignores SIGTERM starts a new sleep only if its sleep was ended.
    expect(before.filter(({ pid }) => !after.has(pid))).toEqual([]);
    await neighbour.close();
  });
});
