import { expect } from 'vitest';
import { claimed, event, type EventLogCase, events } from '../event-log-under-test.ts';

const fenced = { name: 'EventLogError', code: 'fenced' };

/** Cases in which two nodes use the same store. */
export const nodes: readonly EventLogCase[] = [
  {
    title: 'a node reads at once what the other node has acknowledged',
    async run({ log, other }) {
      for (let n = 1; n <= 10; n++) {
        const [writer, reader] = n % 2 === 0 ? [log, other] : [other, log];
        await writer.append('s', [event(`e${n}`)]);
        await writer.writeDocument('s', 'd', `of ${n}`);
        expect((await reader.read('s', n - 1)).events.map(({ id }) => id)).toEqual([`e${n}`]);
        expect(await reader.readDocument('s', 'd')).toBe(`of ${n}`);
        expect(await reader.find('s', `e${n}`)).toMatchObject({ sequence: n });
        expect(await reader.usage()).toEqual(await writer.usage());
        expect(await reader.listStreams({ limit: 1 })).toEqual(['s']);
      }
    },
  },
  {
    title: 'ids that two nodes append at the same time are stored once each, with consecutive numbers',
    async run({ log, other }) {
      const all = events(40);
      const results = await Promise.all(
        all.flatMap((one) => [log, other].map(async (node) => (await node.append('s', [one]))[0])),
      );
      const page = await log.read('s', 0);
      expect(page.events.map(({ sequence }) => sequence)).toEqual(all.map((_, index) => index + 1));
      expect(page.events.map(({ id }) => id).toSorted()).toEqual(all.map(({ id }) => id).toSorted());
      expect(results.filter((result) => result?.duplicate === false)).toHaveLength(all.length);
      for (const { id, sequence } of page.events) {
        expect(results.filter((result) => result?.id === id)).toMatchObject([{ sequence }, { sequence }]);
      }
    },
  },
  {
    title: 'if two nodes append with the same `after`, one append is stored and the other is a conflict',
    async run({ log, other }) {
      for (let after = 0; after < 20; after++) {
        const outcomes = await Promise.allSettled([
          log.append('s', [event(`a${after}`)], { after }),
          other.append('s', [event(`b${after}`)], { after }),
        ]);
        expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
        expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'conflict' } });
        expect((await log.read('s', after)).events).toHaveLength(1);
      }
    },
  },
  {
    title: 'a stopped node that continues after a takeover cannot write',
    async run({ log, other, pass }) {
      const stopped = await claimed(log, 'a', { ttlMs: 1000 });
      await log.append('s', [event('before')], { epoch: stopped });
      await log.writeDocument('s', 'd', 'before', { epoch: stopped });
      pass(1000);
      const present = await claimed(other, 'b', { ttlMs: 1000 });
      await other.append('s', [event('after')], { epoch: present });
      await other.writeDocument('s', 'd', 'after', { epoch: present });
      const zombie = [
        () => log.append('s', [event('zombie')], { epoch: stopped }),
        () => log.append('s', [event('before')], { epoch: stopped }),
        () => log.append('s/part', [event('zombie')], { epoch: stopped }),
        () => log.append('s', [event('zombie')], { epoch: stopped, after: 2 }),
        () => log.writeDocument('s', 'd', 'zombie', { epoch: stopped }),
        () => log.writeDocument('s', 'new', 'zombie', { epoch: stopped }),
      ];
      for (const write of zombie) await expect(write()).rejects.toMatchObject(fenced);
      // The stopped node still has no claim after the other node's claim has expired.
      pass(1000);
      for (const write of zombie) await expect(write()).rejects.toMatchObject(fenced);
      expect((await other.read('s', 0)).events.map(({ id }) => id)).toEqual(['before', 'after']);
      expect(await other.readDocument('s', 'd')).toBe('after');
      expect(await other.readDocument('s', 'new')).toBeUndefined();
      expect(await other.read('s/part', 0)).toEqual({ events: [], last: 0 });
    },
  },
  {
    title:
      'after a takeover, the new node reads all earlier writes of the old node, and all later writes of the old node are fenced',
    async run({ log, other, pass }) {
      const old = await claimed(log, 'a', { ttlMs: 10 });
      pass(10);
      const writes = Promise.allSettled(events(30).map((one) => log.append('s', [one], { epoch: old })));
      await claimed(other, 'b');
      const { last } = await other.read('s', 0);
      const stored = (await writes).filter(({ status }) => status === 'fulfilled');
      expect(stored).toHaveLength(last);
      expect((await other.read('s', 0)).last).toBe(last);
    },
  },
  {
    title: 'a node that closes its log does not affect the other node',
    needs: 'another',
    async run({ log, other }) {
      const epoch = await claimed(other, 'b');
      const hints = log.tail('s', 0, new AbortController().signal)[Symbol.asyncIterator]();
      const hint = hints.next();
      await other.append('s', [event('x')], { epoch });
      await other.close();
      expect(await hint).toEqual({ value: 1, done: false });
      expect((await log.read('s', 0)).last).toBe(1);
      expect(await log.append('s', [event('y')])).toMatchObject([{ sequence: 2 }]);
      // The claim of the closed node stays valid until it expires.
      expect(await log.claim('s', 'a', 1000)).toMatchObject({ heldBy: 'b' });
      await hints.return?.();
    },
  },
];
