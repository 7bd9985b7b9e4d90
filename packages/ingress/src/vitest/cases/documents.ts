import { expect } from 'vitest';
import type { EventLogCase } from '../event-log-under-test.ts';

/** The small texts beside the events. */
export const documents: readonly EventLogCase[] = [
  {
    title: 'a document is replaced as a whole, and belongs to its stream',
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
    title: 'the last of several writes stays, awaited or not',
    async run({ log }) {
      await Promise.all(['1', '2', '3'].map((text) => log.writeDocument('s', 'd', text)));
      expect(await log.readDocument('s', 'd')).toBe('3');
    },
  },
];
