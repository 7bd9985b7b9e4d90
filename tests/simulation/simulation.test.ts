/** Few schedules of the simulation; `many-schedules.test.ts` has more of them. */
import { verifies } from '@proto/test-support/verifies';
import { expect, test } from 'vitest';
import { shrink, simulate, type SimulationOptions } from './simulate.ts';
import { firstFailure } from './first-failure.ts';
import type { StoreFault } from './store.ts';

const ONE = { nodes: 1, sockets: true };
const THREE = { nodes: 3, sockets: true };

verifies(
  ['REM-9', 'RES-28', 'LINK-2'],
  'no event is lost, doubled or out of order, whatever befalls clients, links, the server and its store',
  async () => {
    expect(await firstFailure(25, ONE)).toBeUndefined();
  },
  { timeout: 60_000 },
);

verifies(
  ['REM-9', 'RES-28', 'LINK-2'],
  'no event is lost, doubled or out of order on three nodes, and each session has one writer at a time',
  async () => {
    expect(await firstFailure(25, THREE)).toBeUndefined();
  },
  { timeout: 60_000 },
);

test('the same seed gives the same simulation to the last byte, and another seed gives another one', async () => {
  const [first, other, again] = [await simulate('21', THREE), await simulate('22', THREE), await simulate('21', THREE)];
  expect([again.hash, again.schedule]).toEqual([first.hash, first.schedule]);
  expect(other.hash).not.toBe(first.hash);
});

test('a simulation leaves the platform as it was', async () => {
  const before = [setTimeout, setImmediate, Math.random, Date.now, crypto.randomUUID];
  await simulate('3', ONE);
  expect([setTimeout, setImmediate, Math.random, Date.now, crypto.randomUUID]).toEqual(before);
});

// The numbers of seeds that were needed to find each fault, with a margin.
test.each<[StoreFault, number, SimulationOptions]>([
  ['no duplicates', 20, ONE],
  ['forgets', 20, ONE],
  ['no fence', 60, THREE],
])(
  'a store with the fault "%s" is found within %i seeds, by a schedule that shrinks',
  async (fault, seeds, options) => {
    const failed = await firstFailure(seeds, { ...options, fault });
    if (failed === undefined) throw new Error('the fault was not found');
    const least = await shrink(failed, { ...options, fault });
    expect(least.schedule.length).toBeLessThanOrEqual(failed.schedule.length);
    const again = await simulate(least.seed, { ...options, fault }, least.schedule);
    expect([again.hash, again.problem]).toEqual([least.hash, least.problem]);
    expect((await simulate(least.seed, options, least.schedule)).problem).toBeUndefined();
  },
  60_000,
);
