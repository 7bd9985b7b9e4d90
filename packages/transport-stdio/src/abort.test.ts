/** Agents that are aborted, with real processes. What has left their group is in `strays.test.ts`, the exit of the host in `tests/processes`. */
import { setTimeout as delay } from 'node:timers/promises';
import { verifies } from '@proto/requirements';
import { describe, expect, onTestFinished, vi } from 'vitest';
import { membersOf, runningProcesses } from './process-list.test-support.ts';
import { type SpawnedAgent, spawnAgent, spawnAgentOn } from './spawn-agent.ts';
import { thisSystem } from './system.ts';

const shell = (script: string): SpawnedAgent => spawnAgent({ command: '/bin/sh', args: ['-c', script] });

describe('abort', () => {
  verifies('R-7.5', 'before it runs, while it starts, and after its exit: no throw, nobody left', async () => {
    const moments: ((transport: SpawnedAgent) => unknown)[] = [
      () => {},
      () => Promise.resolve(),
      ({ opened }) => opened,
      ({ opened }) => opened.then(() => delay(5)),
      ({ closed }) => closed,
    ];
    for (const moment of moments) {
      const transport = shell(moment === moments.at(-1) ? 'exit 0' : 'sleep 1000 & sleep 1000');
      await moment(transport);
      expect(() => transport.abort('the user left')).not.toThrow();
      expect(() => transport.abort('twice')).not.toThrow();
      await transport.closed;
      await vi.waitFor(() => expect(membersOf(transport.pid)).toEqual([]));
    }
    const nobody = spawnAgent({ command: 'no-such-agent' });
    nobody.abort();
    await nobody.closed;
  });

  verifies('R-7.1', 'drops all at once, and kills one that ignores SIGTERM 2 s later', async () => {
    const transport = shell(`trap '' TERM; echo '{"type":"said"}'; sleep 1000 & while :; do sleep 1000; done`);
    const incoming = transport.incoming[Symbol.asyncIterator]();
    await incoming.next();
    const start = performance.now();
    transport.abort();
    await expect(incoming.next()).rejects.toMatchObject({ code: 'aborted' });
    expect(membersOf(transport.pid)).not.toEqual([]);
    expect(await transport.closed).toMatchObject({
      by: 'local',
      error: { code: 'aborted' },
      process: { signal: 'SIGKILL', forced: true },
    });
    expect(performance.now() - start).toBeGreaterThan(1990);
    await vi.waitFor(() => expect(membersOf(transport.pid)).toEqual([]));
  });

  verifies('R-7.1', 'lets an agent end what nobody else can find, and say something meanwhile', async () => {
    // As elsewhere than on Linux: what has left the group is not found.
    const system = { ...thisSystem(), platform: 'darwin' } as const;
    const script = `
      setsid sleep 1000 & command=$!
      trap 'sleep 0.05; echo bye; kill $command; exit 143' TERM
      echo '{"type":"said","command":'$command'}'
      while :; do sleep 0.01; done`;
    const transport = spawnAgentOn(system, { command: '/bin/sh', args: ['-c', script] });
    const { value: [said] = [] } = await transport.incoming[Symbol.asyncIterator]().next();
    const pid = Number(said?.kind === 'message' && said.read().message?.['command']);
    const runs = () => runningProcesses().some((listed) => listed.pid === pid);
    onTestFinished(() => void (runs() && process.kill(pid, 'SIGKILL')));
    await vi.waitFor(() => expect(runs()).toBe(true));
    transport.abort();
    expect((await transport.closed).process).toMatchObject({ exitCode: 143, forced: true });
    expect(runs()).toBe(false);
  });
});
