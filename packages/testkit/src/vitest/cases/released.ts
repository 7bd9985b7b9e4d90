import { expect } from 'vitest';
import { block, flush, numbered, send } from '../sending.ts';
import type { ContractCase } from '../contract-case.ts';
import { settlesWithin, turn } from '../within.ts';

/** Point 9: `closed` fulfils last, after all resources have been released. */
export const released: readonly ContractCase[] = [
  {
    point: 9,
    title: 'closed fulfils after everything else',
    async run(context) {
      const { local, remote } = await context.connect();
      context.read(remote);
      const settled = new Set<string>();
      const calls = { send: send(local, numbered(1)), flush: flush(local), incoming: context.read(local).pending };
      for (const [what, promise] of Object.entries(calls)) {
        const note = () => void settled.add(what);
        promise.then(note, note);
      }
      void local.close();
      await context.within(local.closed, 'closed fulfils');
      // It may take a few ticks until the promise of a call settles for its caller.
      await turn();
      expect([...settled].sort()).toEqual(Object.keys(calls).sort());
    },
  },
  {
    point: 9,
    title: 'closed waits until everything is written',
    needs: ['backPressure'],
    async run(context) {
      const { local, remote } = await context.connect();
      const { pending } = await block(local, context);
      if (pending === undefined) return;
      void local.close();
      expect(await settlesWithin(context.limits.quietMs, local.closed)).toBe(false);
      await context.read(remote).rest();
      await context.within(local.closed, 'closed fulfils');
    },
  },
  {
    point: 9,
    title: 'closed fulfils after all resources are released',
    needs: ['released'],
    async run(context) {
      for (const finish of ['close', 'abort'] as const) {
        const pair = await context.connect();
        const there = context.read(pair.remote);
        await context.within(send(pair.local, numbered(1)), 'send settles');
        await there.take(1);
        void pair.local[finish]();
        await context.within(pair.local.closed, 'closed fulfils');
        expect(context.under.released?.(pair), `released after ${finish}`).toBe(true);
      }
    },
  },
];
