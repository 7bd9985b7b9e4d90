/** A host that aborts its agents and exits must end them, even if they ignore SIGTERM. */
import { verifies } from '@proto/test-support/verifies';
import { describe, expect, vi } from 'vitest';
import { membersOf, startHost, startSleepers } from './start-host.ts';

describe.runIf(process.platform === 'linux')(
  'an agent that ignores SIGTERM, and the processes that it started in new sessions,',
  () => {
    const ends = [
      ['abort and exit', 'exits at once', 0],
      ['abort and throw', 'throws', 1],
      ['abort', 'does not wait', 0],
      ['abort and wait', 'waits for the end', 0],
    ] as const;
    for (const [end, how, code] of ends) {
      verifies(
        ['PROC-5', 'PROC-7'],
        `end if a host aborts the agent and ${how}`,
        async () => {
          const { seconds, pids } = startSleepers();
          const { exited, group } = await startHost(end, seconds);
          const { code: exitCode, stderr } = await exited;
          expect([exitCode, end.endsWith('throw') ? '' : stderr]).toEqual([code, '']);
          await vi.waitFor(() => expect([membersOf(group), pids()]).toEqual([[], []]), 5000);
        },
        { timeout: 30_000 },
      );
    }
  },
);
