/** Many schedules of the simulation. */
import { verifies } from '@proto/requirements';
import { expect } from 'vitest';
import { firstFailure } from './first-failure.ts';

verifies(
  ['R-1.1', 'R-1.2', 'R-1.4', 'R-33.2'],
  'no event is lost, doubled or out of order in 1 500 simulations, with event streams alone and with WebSockets',
  async () => {
    expect(await firstFailure(500, { nodes: 1, sockets: false })).toBeUndefined();
    expect(await firstFailure(1000, { nodes: 1, sockets: true })).toBeUndefined();
  },
  { timeout: 480_000 },
);
