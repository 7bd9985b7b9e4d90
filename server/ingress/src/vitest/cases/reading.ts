import { expect } from 'vitest';
import type { EventLog } from '../../log/event-log.ts';
import { event, type EventLogCase, events } from '../event-log-under-test.ts';

const read = async (log: EventLog, after: number, limits = {}) =>
  (await log.read('s', after, limits)).events.map(({ sequence }) => sequence);

/** Cases that check which events a reader gets for its cursor. */
export const reading: readonly EventLogCase[] = [
  {
    title: 'streams are listed in pages, newest first, without parts and without streams of the server',
    async run({ log }) {
      expect(await log.listStreams({ limit: 10 })).toEqual([]);
      for (const name of ['a', '@server', 'b', 'b/part', 'ä', 'd']) await log.writeDocument(name, 'd', 'x');
      await log.append('a', events(1));
      expect(await log.listStreams({ limit: 10 })).toEqual(['d', 'ä', 'b', 'a']);
      expect(await log.listStreams({ limit: 2 })).toEqual(['d', 'ä']);
      expect(await log.listStreams({ limit: 2, before: 'ä' })).toEqual(['b', 'a']);
      expect(await log.listStreams({ limit: 2, before: 'a' })).toEqual([]);
      expect(await log.listStreams({ limit: 2, before: 'nobody' })).toEqual([]);
    },
  },
  {
    title: 'a read returns only events after its cursor',
    async run({ log }) {
      await log.append('s', events(4));
      expect(await read(log, 0)).toEqual([1, 2, 3, 4]);
      expect(await read(log, 3)).toEqual([4]);
      expect(await read(log, 4)).toEqual([]);
      expect(await read(log, 99)).toEqual([]);
      expect(await log.read('s', 99)).toMatchObject({ last: 4 });
    },
  },
  {
    title: 'a stream without writes is empty',
    async run({ log }) {
      expect(await log.read('nobody', 0)).toEqual({ events: [], last: 0 });
      expect(await log.readDocument('nobody', 'd')).toBeUndefined();
    },
  },
  {
    title: 'a page has at most its limit of events, and all pages together contain the whole stream',
    async run({ log }) {
      await log.append('s', events(7));
      expect(await read(log, 0, { maxEvents: 3 })).toEqual([1, 2, 3]);
      expect(await read(log, 3, { maxEvents: 3 })).toEqual([4, 5, 6]);
      expect(await read(log, 6, { maxEvents: 3 })).toEqual([7]);
    },
  },
  {
    title: 'a page ends at its limit of bytes, but contains at least one event of any size',
    async run({ log }) {
      await log.append('s', [event('a', 100), event('b', 100), event('c', 500), event('d', 100)]);
      expect(await read(log, 0, { maxBytes: 250 })).toEqual([1, 2]);
      expect(await read(log, 2, { maxBytes: 250 })).toEqual([3]);
      expect(await read(log, 3, { maxBytes: 250 })).toEqual([4]);
    },
  },
  {
    title: 'an acknowledged event can be read at once',
    async run({ log }) {
      for (let n = 1; n <= 20; n++) {
        await log.append('s', [event(`n${n}`)]);
        expect(await read(log, n - 1)).toEqual([n]);
      }
    },
  },
];

/** Cases that check documents, which are the small texts of a stream. */
export const documents: readonly EventLogCase[] = [
  {
    title: 'a document belongs to its stream, and is replaced as a whole',
    async run({ log }) {
      expect(await log.readDocument('s', 'd')).toBeUndefined();
      await log.writeDocument('s', 'd', 'one');
      await log.writeDocument('t', 'd', 'elsewhere');
      await log.writeDocument('s', 'd', '{"two":"\u2028\0"}');
      expect(await log.readDocument('s', 'd')).toBe('{"two":"\u2028\0"}');
      expect(await log.readDocument('s', 'other')).toBeUndefined();
      expect(await log.read('s', 0)).toEqual({ events: [], last: 0 });
    },
  },
  {
    title: 'the last of several writes to a document is stored, awaited or not',
    async run({ log }) {
      await Promise.all(['1', '2', '3'].map((text) => log.writeDocument('s', 'd', text)));
      expect(await log.readDocument('s', 'd')).toBe('3');
    },
  },
];
