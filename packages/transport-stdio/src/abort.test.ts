/** Tests of aborted agents with real processes. `strays.system.test.ts` tests processes outside the group, `tests/processes` the host exit. */
import { setTimeout as delay } from 'node:timers/promises';
import { verifies } from '@proto/test-support/verifies';
import { describe, expect, onTestFinished, vi } from 'vitest';
import { membersOf, runningProcesses } from './process-list.test-support.ts';
import { type SpawnedAgent, spawnAgent, spawnAgentOn } from './spawn-agent.ts';
import { thisSystem } from './system.ts';

const shell = (script: string): SpawnedAgent => spawnAgent({ command: '/bin/sh', args: ['-c', script] });

describe('abort', () => {
  verifies('PROC-9', 'at any moment, also before the start or after the exit, leaves no process', async () => {
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

  verifies('PROC-5', 'drops all data, and kills an agent that ignores SIGTERM after 2 s', async () => {
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
      process: { signal: 'SIGKILL', killed: true },
    });
    expect(performance.now() - start).toBeGreaterThan(1990);
    await vi.waitFor(() => expect(membersOf(transport.pid)).toEqual([]));
  });

  verifies('PROC-5', 'gives an agent time to end processes that only the agent can find', async () => {
    // As on systems other than Linux: processes outside the group are not found.
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
    expect((await transport.closed).process).toMatchObject({ exitCode: 143, killed: true });
    expect(runs()).toBe(false);
  });
});
