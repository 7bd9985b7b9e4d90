/** A host that aborts its agents and ends: nothing else ends them then, and it is still not left to them whether they do. */
import { verifies } from '@proto/requirements';
import { describe, expect, vi } from 'vitest';
import { membersOf, startHost, startSleepers } from './start-host.ts';

describe.runIf(process.platform === 'linux')(
  'an agent that ignores SIGTERM, and what it started in sessions of its own',
  () => {
    const ends = [
      ['abort and exit', 'which leaves at once', 0],
      ['abort and throw', 'which has a defect', 1],
      ['abort', 'which does not wait for it', 0],
      ['abort and wait', 'which waits for it', 0],
    ] as const;
    for (const [end, how, code] of ends) {
      verifies(
        ['R-7.1', 'R-7.3'],
        `end with the host that aborts it and ${how}`,
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
