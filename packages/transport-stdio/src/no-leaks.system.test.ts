import { setImmediate } from 'node:timers/promises';
import { encodeBatch } from '@proto/core/transport';
import { verifies } from '@proto/test-support/verifies';
import { expect, vi } from 'vitest';
import { runningProcesses } from './process-list.test-support.ts';
import { spawnAgent } from './spawn-agent.ts';

// The child starts another process, ignores SIGTERM, and reads nothing.
const STUBBORN = `trap '' TERM; sleep 1000 & while :; do sleep 1000; done`;

/** The children of this process, and the processes with the mark among their arguments. */
function running(mark: string): number[] {
  return runningProcesses().flatMap(({ pid, parent, command }) => {
    return (parent === process.pid || command.includes(mark)) && !command.startsWith('ps ') ? [pid] : [];
  });
}

/** The handles that this process holds in addition to the given ones. */
function handlesBeyond(before: readonly string[]): string[] {
  const known = [...before];
  return process.getActiveResourcesInfo().filter((kind) => {
    const at = known.indexOf(kind);
    if (at >= 0) known.splice(at, 1);
    return at < 0;
  });
}

async function cycle(n: number, mark: string): Promise<void> {
  const agent = spawnAgent({ command: '/bin/sh', args: ['-c', `: ${mark}; ${STUBBORN}`], killGraceMs: 50 });
  if (n % 4 > 0) await agent.opened;
  if (n % 4 > 1) await agent.send(encodeBatch({ type: 'said' }));
  if (n % 4 > 2) void agent.close();
  agent.abort();
  await agent.closed;
}

verifies(
  'PROC-7',
  '200 cycles of open and abort leave no process and no handle',
  async () => {
    const mark = `mark-${process.pid}`;
    const handles = process.getActiveResourcesInfo();
    const processes = running(mark);
    for (let n = 0; n < 200; n += 20) await Promise.all(Array.from({ length: 20 }, (_, i) => cycle(n + i, mark)));
    // A handle is closed in one turn of the event loop and released in another.
    for (let turn = 0; turn < 100 && handlesBeyond(handles).length > 0; turn++) await setImmediate();
    expect(handlesBeyond(handles)).toEqual([]);
    // The kernel takes a moment to end killed processes.
    await vi.waitFor(() => expect(running(mark)).toEqual(processes));
  },
  { timeout: 60_000 },
);
