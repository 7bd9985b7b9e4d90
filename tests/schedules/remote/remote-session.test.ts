import { verifies } from '@proto/requirements';
import { expect } from 'vitest';
import { againOf, runSchedules } from '../run-schedules.ts';
import { remoteSession } from './remote-session.ts';
import { openSimulatedWorld } from './simulated-world.ts';
import { openSockets } from './socket-world.ts';

/** Of a schedule over sockets, where a server takes half a second to come back. */
const MAX_STEPS = 16;

verifies(
  ['R-1.1', 'R-1.4'],
  'whatever happens to clients, server and links: every reader hears what the log has, once and in order, and nothing acknowledged is missing',
  async () => {
    const report = await runSchedules(remoteSession('remote session', openSimulatedWorld), 1, 600);
    expect(againOf(report)).toBeUndefined();
  },
  { timeout: 480_000 },
);

verifies(
  ['R-1.2', 'R-33.2'],
  'WebSockets as well, of a viewer that goes from one kind of link to the other and of workers: nothing is lost, repeated or out of order',
  async () => {
    const scenario = remoteSession('remote session with sockets', openSimulatedWorld, { sockets: true });
    expect(againOf(await runSchedules(scenario, 1, 400))).toBeUndefined();
  },
  { timeout: 480_000 },
);

verifies(
  ['R-1.1', 'R-1.4'],
  'the same over sockets, with a server process that is killed, on a file',
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
  { timeout: 480_000 },
);
