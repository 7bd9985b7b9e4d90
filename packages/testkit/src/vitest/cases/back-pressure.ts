import { expect } from 'vitest';
import { block, flush, numbered, range, send, sorted } from '../sending.ts';
import type { ContractCase } from '../contract-case.ts';
import { settlesWithin } from '../within.ts';

/** Point 3: a settled `send` means that the transport will deliver the message. `send` stays pending while the medium is slow. */
export const backPressure: readonly ContractCase[] = [
  {
    point: 3,
    title: 'a send settles although the other side does not read',
    async run(context) {
      const { local } = await context.connect();
      await context.within(send(local, numbered(1)), 'send settles');
      await context.within(flush(local), 'flush settles');
    },
  },
  {
    point: 3,
    title: 'sends stay pending while the other side does not read, continue when it reads, and no message is lost',
    needs: ['backPressure'],
    async run(context) {
      const { local, remote } = await context.connect();
      const { count, pending } = await block(local, context);
      if (pending === undefined)
        throw new Error(`${context.limits.floodBytes} bytes were accepted while the other side was not reading`);
      const more = range(count + 1, count + 3).map((n) => send(local, numbered(n)));
      expect(await settlesWithin(context.limits.quietMs, Promise.race([pending, ...more]))).toBe(false);
      const there = context.read(remote);
      await there.take(count + 3);
      await context.within(Promise.all([pending, ...more]), 'the sends settle');
      expect(sorted(there.numbers)).toEqual(range(1, count + 3));
    },
  },
  {
    point: 3,
    title:
      'the other side has to wait while this side does not read, continues when this side reads, and no message is lost',
    needs: ['backPressure'],
    async run(context) {
      const { local, remote } = await context.connect();
      const here = context.read(local);
      const { count, pending } = await block(remote, context);
      if (pending === undefined)
        throw new Error(`${context.limits.floodBytes} bytes arrived while the other side was not reading`);
      await here.take(count);
      await context.within(pending, 'the send of the other side settles');
      expect(sorted(here.numbers)).toEqual(range(1, count));
    },
  },
];
