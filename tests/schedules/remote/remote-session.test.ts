import { verifies } from '@proto/test-support/verifies';
import { expect } from 'vitest';
import { againOf, runSchedules } from '../run-schedules.ts';
import { remoteSession } from './remote-session.ts';
import { openSockets } from './socket-world.ts';

/** The time limit of a schedule over sockets, where a server needs half a second to restart. */
const MAX_STEPS = 16;

verifies(
  ['REM-9', 'RES-28', 'LINK-2'],
  'every reader gets the events of the log once and in order over sockets, although the server process is killed',
  async () => {
    const sockets = await openSockets();
    try {
      const report = await runSchedules(
        remoteSession('remote session over sockets', sockets.world, { maxSteps: MAX_STEPS }),
        1,
        50,
      );
      expect(againOf(report)).toBeUndefined();
    } finally {
      await sockets.close();
    }
  },
  { timeout: 1_200_000 },
);
