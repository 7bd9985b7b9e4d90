import { expect } from 'vitest';
import { event, type EventLogCase, events } from '../event-log-under-test.ts';

/** Cases that check dropped events, and how they are reported. */
export const retaining: readonly EventLogCase[] = [
  {
    title: 'above the limit of bytes, the oldest events are dropped, and a read reports which events are missing',
    maxBytes: 250,
    async run({ log }) {
      await log.append('s', [event('a', 100), event('b', 100), event('c', 100), event('d', 100)]);
      const { events, missing, last } = await log.read('s', 0);
      expect(events.map(({ id }) => id)).toEqual(['c', 'd']);
      expect({ missing, last }).toEqual({ missing: { from: 1, to: 2 }, last: 4 });
      expect((await log.read('s', 1)).missing).toEqual({ from: 2, to: 2 });
      expect((await log.read('s', 2)).missing).toBeUndefined();
    },
  },
  {
    title: 'the newest event is kept, whatever its size',
    maxBytes: 50,
    async run({ log }) {
      await log.append('s', [event('a', 100), event('b', 100)]);
      expect((await log.read('s', 0)).events.map(({ id }) => id)).toEqual(['b']);
    },
  },
  {
    title: 'the id of an event that was dropped because of its size is still known',
    maxBytes: 100,
    async run({ log }) {
      await log.append(
        's',
        events(500).map(({ id }) => event(id, 20)),
      );
      expect((await log.read('s', 0)).events).toHaveLength(5);
      expect(await log.append('s', [event('e1')])).toMatchObject([{ id: 'e1', sequence: 1, duplicate: true }]);
      expect(await log.append('s', [event('new')])).toMatchObject([{ sequence: 501 }]);
    },
  },
  {
    title: 'the next append drops events that are too old, together with their ids',
    async run({ log, pass, options }) {
      await log.append('s', events(2));
      pass(options.maxAgeMs);
      await log.append('s', [event('at the limit')]);
      expect((await log.read('s', 0)).events).toHaveLength(3);
      pass(1);
      expect(await log.append('s', [event('e1')])).toMatchObject([{ duplicate: true }]);
      expect((await log.read('s', 0)).missing).toEqual({ from: 1, to: 2 });
      expect(await log.append('s', [event('e1')])).toMatchObject([{ sequence: 4, duplicate: false }]);
    },
  },
  {
    title: 'expire drops events that are too old, even from streams without new writes',
    async run({ log, pass, options }) {
      await log.append('s', events(2));
      await log.append('t', events(2));
      pass(options.maxAgeMs);
      await log.writeDocument('s', 'd', 'still in use');
      pass(1);
      await log.expire();
      expect(await log.read('s', 0)).toEqual({ events: [], last: 2, missing: { from: 1, to: 2 } });
      expect(await log.readDocument('s', 'd')).toBe('still in use');
      expect(await log.append('s', events(1))).toMatchObject([{ sequence: 3, duplicate: false }]);
      expect(await log.read('t', 0)).toEqual({ events: [], last: 0 });
    },
  },
];
