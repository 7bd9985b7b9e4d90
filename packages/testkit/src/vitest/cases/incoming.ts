import { type Transport, TransportError } from '@proto/core/transport';
import { expect } from 'vitest';
import { flush, numbered, range, send, sorted } from '../sending.ts';
import type { ContractCase } from '../contract-case.ts';

const THREE = range(1, 3);

/** Point 6: how `incoming` ends, and which items precede the end. */
export const incoming: readonly ContractCase[] = [
  {
    point: 6,
    title: 'a clean end follows all received messages',
    needs: ['endsTogether'],
    async run(context) {
      const { local, remote } = await context.connect();
      const here = context.read(local);
      for (const n of THREE) await context.within(send(remote, numbered(n)), 'the other side sends');
      const closing = remote.close();
      await here.rest();
      expect(sorted(here.numbers)).toEqual(THREE);
      expect((await here.end()).done).toBe(true);
      await context.within(closing, 'the other side closes');
    },
  },
  {
    point: 6,
    title: 'a broken link throws once, after all received messages',
    needs: ['breaks'],
    async run(context) {
      const pair = await context.connect();
      const { local, remote } = pair;
      const [here, there] = [context.read(local), context.read(remote)];
      for (const n of THREE) await context.within(send(remote, numbered(n)), 'the other side sends');
      await context.within(flush(remote), 'the other side flushes');
      // After these rounds in the other direction, everything that was in transit has arrived.
      for (const n of THREE) {
        await context.within(send(local, numbered(n)), 'send settles');
        await there.take(n);
      }
      await context.cut(pair);
      const thrown = await here.rest().then(
        () => undefined,
        (error: unknown) => error,
      );
      expect(TransportError.is(thrown), `incoming throws a TransportError, not ${String(thrown)}`).toBe(true);
      expect(sorted(here.numbers)).toEqual(THREE);
      expect((await here.end()).done).toBe(true);
      const { by, error } = await context.within(local.closed, 'closed fulfils');
      expect([by, error]).toEqual(['link', thrown]);
    },
  },
  {
    point: 6,
    title: 'end stops sending, not receiving',
    async run(context) {
      const { local, remote } = await context.connect();
      const here = context.read(local);
      await context.within(Promise.all([local.end(), local.end()]), 'end settles');
      await context.within(send(remote, numbered(1)), 'the other side sends');
      await here.take(1);
    },
  },
  {
    point: 6,
    title: 'a half-close ends one direction after all sent messages; the second half-close closes both sides cleanly',
    needs: ['halfClose'],
    async run(context) {
      const { local, remote } = await context.connect();
      const [here, there] = [context.read(local), context.read(remote)];
      const sent = THREE.map((n) => send(local, numbered(n)));
      await context.within(Promise.all([...sent, local.end()]), 'the sends and end settle');
      await there.rest();
      expect(sorted(there.numbers)).toEqual(THREE);
      await context.within(send(remote, numbered(1)), 'the other side still sends');
      await here.take(1);
      await context.within(remote.end(), 'the other side ends');
      await here.rest();
      const { error } = await context.within(local.closed, 'closed fulfils');
      expect(error).toBeUndefined();
    },
  },
  {
    point: 6,
    title: 'messages can still be sent to a peer that has called end',
    needs: ['halfClose'],
    async run(context) {
      const { local, remote } = await context.connect();
      const [here, there] = [context.read(local), context.read(remote)];
      await context.within(remote.end(), 'the other side ends');
      await here.rest();
      await context.within(send(local, numbered(1)), 'send settles');
      await there.take(1);
    },
  },
  {
    point: 6,
    title: 'leaving the loop early closes the transport',
    async run(context) {
      const { local, remote } = await context.connect();
      const there = context.read(remote);
      const left = readOnce(local);
      await context.within(send(remote, numbered(1)), 'the other side sends');
      await context.within(left, 'the loop is left');
      const { by, error } = await context.within(local.closed, 'closed fulfils');
      expect([by, error]).toEqual(['local', undefined]);
      await context.left(there, 0);
    },
  },
  {
    point: 6,
    title: 'a second iteration throws TypeError',
    async run(context) {
      const { local } = await context.connect();
      context.read(local);
      await expect(context.within(readOnce(local), 'the second loop ends')).rejects.toBeInstanceOf(TypeError);
    },
  },
];

/** Leaves the loop after the first items. */
async function readOnce({ incoming }: Transport): Promise<number> {
  for await (const items of incoming) return items.length;
  return 0;
}
