import { type Cursor, isResumable, TransportError } from '@proto/core/transport';
import { expect } from 'vitest';
import { flush, numbered, range, send, sorted } from '../sending.ts';
import type { CaseContext } from '../case-context.ts';
import type { ContractCase } from '../contract-case.ts';
import type { Reader } from '../reader.ts';
import type { TransportPair } from '../transport-under-test.ts';

const ROUNDS = 3;
const PER_ROUND = 10;

/** Point 10: a transport that reconnects reports the state of its connection, and neither loses nor repeats messages. */
export const reconnecting: readonly ContractCase[] = [
  {
    point: 10,
    title: 'lost links are reported in order with the messages, and no message is lost or repeated in either direction',
    needs: ['reconnect', 'cut'],
    async run(context) {
      const pair = await context.connect();
      const [here, there] = [context.read(pair.local), context.read(pair.remote)];
      const sent: Promise<void>[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        for (const n of range(1, PER_ROUND)) {
          for (const side of [pair.local, pair.remote]) sent.push(send(side, numbered(round * PER_ROUND + n)));
          // Cut in the middle of a round, so that some messages are in transit and others are waiting.
          if (n === PER_ROUND / 2) await context.cut(pair);
        }
        await here.until(() => ups(here) > round, 'the link is reported as up again');
      }
      // A repeated message would arrive before the last message.
      const last = ROUNDS * PER_ROUND + 1;
      for (const side of [pair.local, pair.remote]) sent.push(send(side, numbered(last)));
      for (const reader of [here, there]) {
        await reader.until(() => reader.numbers.includes(last), 'the last message arrives');
        expect(sorted(reader.numbers)).toEqual(range(1, last));
      }
      await context.within(Promise.all(sent), 'the sends settle');
      expect(here.links.map(({ state }) => state)).toEqual(Array.from({ length: ROUNDS }, () => ['down', 'up']).flat());
      expect(here.links.every(({ attempt }) => attempt >= 1)).toBe(true);
      expect(here.links.filter(({ resumed }) => resumed === false)).toEqual([]);
    },
  },
  {
    point: 10,
    title: 'messages sent while the link is down arrive after the link is up again',
    needs: ['reconnect', 'cut'],
    async run(context) {
      const pair = await context.connect();
      const [here, there] = [context.read(pair.local), context.read(pair.remote)];
      await context.lose(pair, here);
      const sent = range(1, 3).map((n) => send(pair.local, numbered(n)));
      await context.reconnect.reachable(pair, true);
      await there.take(3);
      await context.within(Promise.all(sent), 'the sends settle');
      expect(sorted(there.numbers)).toEqual([1, 2, 3]);
    },
  },
  {
    point: 10,
    title: 'a link that cannot resume is reported with resumed: false, and the stream continues',
    needs: ['forget', 'cut'],
    async run(context) {
      const pair = await context.connect();
      const here = context.read(pair.local);
      await context.reconnect.forget?.(pair);
      await cutAndReturn(context, pair, here);
      expect(here.links.at(-1)).toMatchObject({ state: 'up', resumed: false });
      await context.within(send(pair.remote, numbered(1)), 'the other side sends');
      await here.take(1);
    },
  },
  {
    point: 10,
    title: 'a permanent refusal ends the transport with an error that is not retryable, and settles all pending calls',
    needs: ['reconnect', 'cut'],
    async run(context) {
      const pair = await context.connect();
      const { local } = pair;
      const here = context.read(local);
      await context.reconnect.refuse(pair);
      await context.cut(pair);
      const flushed = flush(local);
      await context.allSettle({ incoming: here.rest(), flush: flushed });
      const { error } = await context.within(local.closed, 'closed fulfils');
      expect([TransportError.is(error), error?.retryable]).toEqual([true, false]);
    },
  },
  {
    point: 10,
    title: 'address, headers and token are requested for each attempt',
    needs: ['asked', 'cut'],
    async run(context) {
      const pair = await context.connect();
      const here = context.read(pair.local);
      const before = context.reconnect.asked?.(pair) ?? 0;
      await cutAndReturn(context, pair, here);
      expect(context.reconnect.asked?.(pair)).toBeGreaterThan(before);
    },
  },
  {
    point: 10,
    title: 'the acknowledged cursor never moves backwards',
    needs: ['reconnect'],
    async run(context) {
      const { local, remote } = await context.connect();
      const here = context.read(local);
      for (const n of range(1, 3)) await context.within(send(remote, numbered(n)), 'the other side sends');
      const cursors = (await here.take(3)).map(({ cursor }) => cursor);
      // Some transports that reconnect have no cursors.
      if (!isResumable(local)) return;
      const [first, second] = cursors as Cursor[];
      local.resumption.acknowledge(second as Cursor);
      local.resumption.acknowledge(first as Cursor);
      expect(local.resumption.cursor).toBe(second);
    },
  },
];

function ups(reader: Reader): number {
  return reader.links.filter(({ state }) => state === 'up').length;
}

async function cutAndReturn(context: CaseContext, pair: TransportPair, reader: Reader): Promise<void> {
  const before = ups(reader);
  await context.cut(pair);
  await reader.until(() => ups(reader) > before, 'the link is reported as up again');
}
