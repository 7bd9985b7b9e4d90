import { TransportError } from '@proto/core/transport';
import { expect } from 'vitest';
import { block, flush, numbered, range, send, sorted } from '../sending.ts';
import type { ContractCase } from '../contract-case.ts';
import { within } from '../within.ts';

/** Point 8, orderly ends: `close` is idempotent and safe in any state, and all promises settle. */
export const closing: readonly ContractCase[] = [
  {
    point: 8,
    title: 'close sends all queued messages, ends both sides, and settles together with closed',
    async run(context) {
      const { local, remote } = await context.connect();
      const [here, there] = [context.read(local), context.read(remote)];
      const sent = range(1, 20).map((n) => send(local, numbered(n)));
      await context.within(local.close(), 'close settles');
      await context.within(Promise.all(sent), 'the sends settle');
      await context.within(Promise.allSettled([here.pending]), 'the iteration settles');
      await context.left(there, 20);
      expect(sorted(there.numbers)).toEqual(range(1, 20));
      const { by, error } = await context.within(local.closed, 'closed fulfils');
      expect([by, error]).toEqual(['local', undefined]);
    },
  },
  {
    point: 8,
    title: 'close may be called repeatedly, and abort may be called after close',
    async run(context) {
      const { local } = await context.connect();
      await context.within(Promise.all([local.close(), local.close()]), 'close settles');
      local.abort('too late');
      await context.within(local.close(), 'close settles again');
      await context.within(local[Symbol.asyncDispose](), 'dispose settles');
      expect((await context.within(local.closed, 'closed fulfils')).by).toBe('local');
    },
  },
  {
    point: 8,
    title: 'disposing closes the transport',
    async run(context) {
      const { local } = await context.connect();
      await context.within(local[Symbol.asyncDispose](), 'dispose settles');
      expect((await context.within(local.closed, 'closed fulfils')).by).toBe('local');
    },
  },
  {
    point: 8,
    title: 'a call of close after a call of end settles',
    async run(context) {
      const { local } = await context.connect();
      await context.allSettle({ end: local.end(), close: local.close(), closed: local.closed });
    },
  },
  {
    point: 8,
    title: 'close before the link is up drops all queued messages',
    needs: ['connecting'],
    async run(context) {
      const transport = await context.connecting();
      const next = context.read(transport).pending;
      const [sent, flushed] = [send(transport, numbered(1)), flush(transport)];
      const close = transport.close();
      await context.allSettle({ send: sent, flush: flushed, incoming: next, opened: transport.opened, close });
      for (const promise of [transport.opened, sent]) {
        await expect(promise).rejects.toSatisfy((error) => TransportError.is(error));
      }
    },
  },
  {
    point: 8,
    title: 'close after a blocked write sends all messages as soon as the other side reads',
    needs: ['backPressure'],
    async run(context) {
      const { local, remote } = await context.connect();
      const { count, pending } = await block(local, context);
      if (pending === undefined) return;
      const more = range(count + 1, count + 3).map((n) => send(local, numbered(n)));
      const close = local.close();
      const there = context.read(remote);
      await there.rest();
      await context.within(Promise.all([pending, ...more, close]), 'the sends and close settle');
      expect(sorted(there.numbers)).toEqual(range(1, count + 3));
    },
  },
  {
    point: 8,
    title: 'close after a blocked write gives up in time if the other side never reads',
    needs: ['backPressure', 'givesUp'],
    async run(context) {
      const { local } = await context.connect();
      const { pending } = await block(local, context);
      if (pending === undefined) return;
      await within(context.givesUpWithinMs, local.close(), 'close settles');
      // The transport decides whether this is a clean end, because a peer that is forced to end breaks the connection.
      await context.allSettle({ blocked: pending, closed: local.closed });
    },
  },
  {
    point: 8,
    title: 'a peer that closes settles all pending calls',
    needs: ['endsTogether'],
    async run(context) {
      const { local, remote } = await context.connect();
      const here = context.read(local);
      const { pending } = context.under.backPressure ? await block(local, context) : { pending: undefined };
      const calls = { blocked: pending ?? flush(local), send: send(local, numbered(0)), flush: flush(local) };
      const close = remote.close();
      await context.allSettle({ ...calls, incoming: here.pending, close });
    },
  },
  {
    point: 8,
    title: 'a call of close during a retry delay settles',
    needs: ['reconnect', 'cut'],
    async run(context) {
      const pair = await context.connect();
      const here = context.read(pair.local);
      await context.lose(pair, here);
      await context.allSettle({ close: pair.local.close(), incoming: here.pending, closed: pair.local.closed });
    },
  },
];
