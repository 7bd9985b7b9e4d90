import { expect } from 'vitest';
import { flush, numbered, send } from '../sending.ts';
import type { ContractCase } from '../contract-case.ts';

/** Point 1: a factory returns immediately, no start call is needed, and items that arrive before the first iteration are kept. */
export const opening: readonly ContractCase[] = [
  {
    point: 1,
    title: 'the transport opens without a start call',
    async run(context) {
      const { local, remote } = await context.open();
      await context.within(local.opened, 'opened fulfils');
      await context.within(remote.opened, 'opened fulfils on the other side');
    },
  },
  {
    point: 1,
    title: 'items that arrive before the reader iterates are kept',
    async run(context) {
      const { local, remote } = await context.connect();
      const there = context.read(remote);
      for (const n of [1, 2, 3]) await context.within(send(remote, numbered(n)), 'the other side sends');
      await context.within(flush(remote), 'the other side flushes');
      // After these rounds in the other direction, everything that was in transit has arrived.
      for (const n of [1, 2, 3]) {
        await context.within(send(local, numbered(n)), 'send settles');
        await there.take(n);
      }
      const here = context.read(local);
      await here.take(3);
      expect(new Set(here.numbers)).toEqual(new Set([1, 2, 3]));
    },
  },
];
