import { expect } from 'vitest';
import type { EventLog } from '../../log/event-log.ts';
import { event, type EventLogCase, events } from '../event-log-under-test.ts';

const bytesOf = async (log: EventLog) => (await log.usage()).bytes;

/** Cases that check the size of a store. */
export const measuring: readonly EventLogCase[] = [
  {
    title: 'usage counts the bytes of payloads and documents, and the streams except parts and streams of the server',
    async run({ log }) {
      expect(await log.usage()).toEqual({ streams: 0, bytes: 0 });
      await log.append('s', [event('a', 100), { ...event('b'), payload: '"ä"' }]);
      await log.append('s/internal', [event('a', 10)]);
      await log.writeDocument('@server', 'd', '12345');
      expect(await log.usage()).toEqual({ streams: 1, bytes: 119 });
      await log.writeDocument('t', 'd', 'ää');
      await log.writeDocument('t', 'd', 'ä');
      expect(await log.usage()).toEqual({ streams: 2, bytes: 121 });
      await log.append('s', [event('a', 100)]);
      expect(await bytesOf(log)).toBe(121);
    },
  },
  {
    title: 'dropped events and documents no longer count',
    maxBytes: 250,
    async run({ log, pass, options }) {
      await log.append('s', [event('a', 100), event('b', 100), event('c', 100)]);
      expect(await log.usage()).toEqual({ streams: 1, bytes: 200 });
      pass(options.maxAgeMs + 1);
      await log.writeDocument('s', 'd', 'still in use');
      await log.append('t', [event('a', 100)]);
      await log.expire();
      expect(await log.usage()).toEqual({ streams: 2, bytes: 112 });
      pass(options.maxAgeMs + 1);
      await log.expire();
      expect(await log.usage()).toEqual({ streams: 0, bytes: 0 });
    },
  },
  {
    title: 'usage is correct after a restart',
    needs: 'reopen',
    async run({ log, under, options }) {
      await log.append('s', events(3));
      await log.append('s/part', events(3));
      await log.writeDocument('s', 'd', 'ä');
      await log.writeDocument('@server', 'd', '');
      const before = await log.usage();
      await log.close();
      const reopened = await under.reopen?.(log, options);
      try {
        expect(await reopened?.usage()).toEqual(before);
        expect(before).toEqual({ streams: 1, bytes: 26 });
      } finally {
        await reopened?.close();
      }
    },
  },
  {
    title:
      'a write that exceeds the limit for all streams rejects with the code `full`, and no part of it is stored; other writes succeed',
    maxTotalBytes: 300,
    async run({ log }) {
      await log.append('s', [event('a', 100)]);
      await log.writeDocument('t', 'd', 'x'.repeat(100));
      const before = await log.usage();
      const outcomes = await Promise.allSettled([
        log.append('s', [event('b', 50), event('c', 51)]),
        log.append('new', [event('b', 101)]),
        log.writeDocument('t', 'd', 'y'.repeat(201)),
        log.append('s', [event('a', 100)]),
      ]);
      for (const outcome of outcomes.slice(0, 3)) {
        expect(outcome).toMatchObject({ status: 'rejected', reason: { name: 'EventLogError', code: 'full' } });
      }
      expect(outcomes[3]).toMatchObject({ status: 'fulfilled', value: [{ duplicate: true }] });
      expect(await log.usage()).toEqual(before);
      expect(await log.read('s', 0)).toMatchObject({ last: 1 });
      expect(await log.find('s', 'b')).toBeUndefined();
      expect(await log.read('new', 0)).toEqual({ events: [], last: 0 });
      expect(await log.readDocument('t', 'd')).toBe('x'.repeat(100));
      // Only one of the two appends in the same turn fits within the limit.
      const [fits, not] = await Promise.allSettled([
        log.append('s', [event('b', 100)]),
        log.append('s', [event('c', 100)]),
      ]);
      expect([fits, not]).toMatchObject([{ value: [{ sequence: 2 }] }, { reason: { code: 'full' } }]);
      expect(await bytesOf(log)).toBe(300);
    },
  },
  {
    title: 'at the limit, a write that does not enlarge the store is accepted, and expired events make room',
    maxBytes: 200,
    maxTotalBytes: 300,
    async run({ log, pass, options }) {
      await log.writeDocument('t', 'd', 'x'.repeat(100));
      await log.append('s', [event('a', 100), event('b', 100)]);
      await log.writeDocument('t', 'd', 'y'.repeat(100));
      await log.writeDocument('t', 'd', 'y'.repeat(99));
      // The stream drops as many bytes as are appended.
      await log.append('s', [event('c', 100)]);
      expect(await log.usage()).toEqual({ streams: 2, bytes: 299 });
      await expect(log.append('u', [event('a', 2)])).rejects.toMatchObject({ code: 'full' });
      pass(options.maxAgeMs + 1);
      await log.expire();
      expect(await log.append('u', [event('a', 300)])).toMatchObject([{ sequence: 1 }]);
    },
  },
];
