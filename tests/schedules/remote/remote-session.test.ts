import { verifies } from '@proto/requirements';
import { expect } from 'vitest';
import { againOf, runSchedules } from '../run-schedules.ts';
import { remoteSession } from './remote-session.ts';
import { openSimulatedWorld } from './simulated-world.ts';
import { openSockets } from './socket-world.ts';

/** The time limit of a schedule over sockets, where a server needs half a second to restart. */
const MAX_STEPS = 16;

verifies(
  ['R-1.1', 'R-1.4'],
  'every reader gets the events of the log once and in order, and no acknowledged event is lost, whatever happens to clients, server and links',
  async () => {
    const report = await runSchedules(remoteSession('remote session', openSimulatedWorld), 1, 600);
    expect(againOf(report)).toBeUndefined();
  },
  { timeout: 480_000 },
);

verifies(
  ['R-1.2', 'R-33.2'],
  'no event is lost, repeated or reordered with workers over WebSockets and a viewer that changes between both kinds of links',
  async () => {
    const scenario = remoteSession('remote session with sockets', openSimulatedWorld, { sockets: true });
    expect(againOf(await runSchedules(scenario, 1, 400))).toBeUndefined();
  },
  { timeout: 480_000 },
);

verifies(
  ['R-1.1', 'R-1.4'],
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
  { timeout: 480_000 },
);
