import { expect, vi } from 'vitest';
import { claimed, event, type EventLogCase } from '../event-log-under-test.ts';

const fenced = { name: 'EventLogError', code: 'fenced' };

/** Cases that check which node owns a stream, and for how long. */
export const claiming: readonly EventLogCase[] = [
  {
    title: 'a claim excludes other nodes until it expires, and then the first node that claims gets it',
    async run({ log, other, pass }) {
      const first = await claimed(log, 'a', { ttlMs: 1000 });
      expect(await other.claim('s', 'b', 1000)).toMatchObject({ heldBy: 'a', heldForMs: 1000 });
      pass(999);
      expect(await other.claim('s', 'b', 1000)).toMatchObject({ heldBy: 'a', heldForMs: 1 });
      // A stream and its parts share one claim, and claims on different streams do not affect each other.
      expect(await other.claim('s/part', 'b', 1000)).toMatchObject({ heldBy: 'a', heldForMs: 1 });
      await claimed(other, 'b', { stream: 't' });
      pass(1);
      const second = await claimed(other, 'b', { ttlMs: 500 });
      expect(second).toBeGreaterThan(first);
      expect(await log.claim('s', 'a', 1000)).toMatchObject({ heldBy: 'b', heldForMs: 500 });
      pass(500);
      expect(await claimed(log, 'a')).toBeGreaterThan(second);
    },
  },
  {
    title:
      'a node renews its claim without a new epoch, even after the claim has expired, unless another node has claimed in the meantime',
    async run({ log, other, pass }) {
      const epoch = await claimed(log, 'a', { ttlMs: 1000 });
      pass(900);
      expect(await claimed(log, 'a', { ttlMs: 1000 })).toBe(epoch);
      pass(900);
      expect(await other.claim('s', 'b', 1000)).toMatchObject({ heldBy: 'a', heldForMs: 100 });
      pass(5000);
      expect(await log.append('s', [event('late')], { epoch })).toMatchObject([{ sequence: 1 }]);
      expect(await claimed(log, 'a', { ttlMs: 1000 })).toBe(epoch);
      expect(await other.claim('s', 'b', 1000)).toMatchObject({ heldBy: 'a', heldForMs: 1000 });
    },
  },
  {
    title: 'a released claim is free at once and allows no writes, and only the epoch of the claim can release it',
    async run({ log, other }) {
      const first = await claimed(log, 'a');
      await other.release('s', first + 1000);
      await other.release('t', first);
      expect(await other.claim('s', 'b', 1000)).toMatchObject({ heldBy: 'a' });
      await log.release('s', first);
      await expect(log.append('s', [event('x')], { epoch: first })).rejects.toMatchObject(fenced);
      const second = await claimed(other, 'b');
      expect(second).toBeGreaterThan(first);
      await log.release('s', first);
      expect(await other.append('s', [event('x')], { epoch: second })).toMatchObject([{ sequence: 1 }]);
      await other.release('s', second);
      // Even the same node gets a new epoch after its release.
      expect(await claimed(other, 'b')).toBeGreaterThan(second);
    },
  },
  {
    title: 'if several nodes claim at once, one gets the claim, and the others get the name of this node',
    async run({ log, other }) {
      const names = Array.from({ length: 10 }, (_, n) => `node ${n}`);
      const results = await Promise.all(names.map((name, n) => (n % 2 === 0 ? log : other).claim('s', name, 1000)));
      const [winner, ...more] = names.filter((_, n) => results[n]?.epoch !== undefined);
      expect(more).toEqual([]);
      expect(new Set(results.map(({ heldBy }) => heldBy))).toEqual(new Set([winner, undefined]));
    },
  },
  {
    title: 'an epoch is never given twice, whatever was released, dropped or reopened in the meantime',
    async run({ log, pass, options }) {
      const epochs = [await claimed(log, 'a'), await claimed(log, 'a', { stream: 't' })];
      await log.append('s', [event('x')], { epoch: epochs[0] });
      pass(options.maxAgeMs + 1001);
      await log.expire();
      expect(await log.read('s', 0)).toEqual({ events: [], last: 0 });
      for (const node of ['b', 'a', 'c']) {
        const epoch = await claimed(log, node);
        epochs.push(epoch);
        await log.release('s', epoch);
      }
      expect(epochs).toEqual([...new Set(epochs)].toSorted((a, b) => a - b));
      for (const epoch of epochs) {
        await expect(log.append('s', [event('x')], { epoch })).rejects.toMatchObject(fenced);
      }
    },
  },
  {
    title: 'expire forgets only claims that expired longer ago than events are kept',
    async run({ log, pass, options }) {
      const epoch = await claimed(log, 'a', { ttlMs: 1000 });
      const lasting = await claimed(log, 'a', { stream: 't', ttlMs: 1001 + options.maxAgeMs });
      pass(1000 + options.maxAgeMs);
      await log.expire();
      expect(await log.append('s', [event('x')], { epoch })).toMatchObject([{ sequence: 1 }]);
      expect(await log.claim('t', 'b', 1000)).toMatchObject({ heldBy: 'a', heldForMs: 1 });
      pass(1);
      await log.expire();
      await expect(log.append('s', [event('y')], { epoch })).rejects.toMatchObject(fenced);
      expect(await log.append('t', [event('x')], { epoch: lasting })).toMatchObject([{ sequence: 1 }]);
      expect(await claimed(log, 'a')).toBeGreaterThan(lasting);
    },
  },
  {
    title: 'epochs continue to increase after a restart',
    needs: 'reopen',
    async run({ log, under, options, pass }) {
      const before = await claimed(log, 'a', { ttlMs: 1000 });
      await log.close();
      pass(1000);
      const reopened = await under.reopen?.(log, options);
      try {
        expect(reopened && (await claimed(reopened, 'b'))).toBeGreaterThan(before);
        await expect(reopened?.append('s', [event('x')], { epoch: before })).rejects.toMatchObject(fenced);
      } finally {
        await reopened?.close();
      }
    },
  },
  {
    title: 'a node with a wrong clock neither takes a claim too early nor loses a claim',
    async run({ log, other, pass }) {
      const clock = vi.spyOn(Date, 'now');
      try {
        clock.mockReturnValue(0);
        const epoch = await claimed(log, 'a', { ttlMs: 1000 });
        clock.mockReturnValue(Number.MAX_SAFE_INTEGER);
        expect(await other.claim('s', 'b', 1000)).toMatchObject({ heldBy: 'a', heldForMs: 1000 });
        expect(await log.append('s', [event('x')], { epoch })).toMatchObject([{ sequence: 1 }]);
        clock.mockReturnValue(0);
        pass(1000);
        expect(await claimed(other, 'b')).toBeGreaterThan(epoch);
      } finally {
        clock.mockRestore();
      }
    },
  },
];
