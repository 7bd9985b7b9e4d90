/** Many schedules of the simulation. */
import { verifies } from '@proto/test-support/verifies';
import { expect } from 'vitest';
import { firstFailure } from './first-failure.ts';

verifies(
  ['REM-9', 'RES-28', 'LINK-1', 'LINK-2', 'LINK-20'],
  'no event is lost, doubled or out of order in 1 000 simulations of one node',
  async () => {
    expect(await firstFailure(300, { nodes: 1, sockets: false })).toBeUndefined();
    expect(await firstFailure(700, { nodes: 1, sockets: true })).toBeUndefined();
  },
  { timeout: 1_200_000 },
);

verifies(
  ['REM-9', 'RES-28', 'LINK-1', 'LINK-2', 'LINK-20'],
  'no event is lost, doubled or out of order in 2 000 simulations of three nodes on one store, and each session has one writer at a time',
  async () => {
    expect(await firstFailure(2000, { nodes: 3, sockets: true })).toBeUndefined();
  },
  { timeout: 1_200_000 },
);
