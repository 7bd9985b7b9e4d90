import { expect } from 'vitest';
import type { EventLog } from '../../log/event-log.ts';
import { event, type EventLogCase, events } from '../event-log-under-test.ts';

const never = () => new AbortController().signal;

/** Follows a stream as a reader does: reads after each hint, until `count` events have been read. Returns the ids of these events. */
async function follow(log: EventLog, count: number, { stream = 's', after = 0 } = {}): Promise<readonly string[]> {
  const ids: string[] = [];
  let cursor = after;
  for await (const hint of log.tail(stream, after, never())) {
    expect(hint).toBeGreaterThan(after);
    if (hint <= cursor) continue;
    const page = await log.read(stream, cursor);
    for (const { id, sequence } of page.events) {
      ids.push(id);
      cursor = sequence;
    }
    expect(cursor).toBeGreaterThanOrEqual(hint);
    if (ids.length >= count) break;
  }
  return ids;
}

/** Cases that check a reader that waits for further events. */
export const tailing: readonly EventLogCase[] = [
  {
    title: 'a tail reports existing events at once, and no event at or before its cursor',
    async run({ log, other }) {
      await log.append('s', events(3));
      const [hint] = await firstHints(other.tail('s', 2, never()), 1);
      expect(hint).toBe(3);
      const late = firstHints(other.tail('s', 3, never()), 1);
      await log.append('t', events(9));
      await log.append('s', [event('x')]);
      expect(await late).toEqual([4]);
    },
  },
  {
    title: 'a tail of a stream that does not exist yet reports its first event',
    async run({ log, other }) {
      const ids = follow(other, 1);
      await log.append('s', [event('x')]);
      expect(await ids).toEqual(['x']);
    },
  },
  {
    title: 'a reader that reads after each hint misses no event, whenever it begins and whichever node writes',
    async run({ log, other }) {
      const readers: Promise<readonly string[]>[] = [];
      const all = events(60);
      for (const [n, one] of all.entries()) {
        const stored = (n % 3 === 0 ? other : log).append('s', [one]);
        readers.push(follow(n % 2 === 0 ? log : other, all.length - n, { after: n }));
        // Sometimes the reader begins before the append is stored, and sometimes after it.
        if (n % 4 !== 0) await stored;
      }
      const found = await Promise.all(readers);
      // If the calls of two nodes are not awaited, they may be stored in either order.
      const ids = (await log.read('s', 0)).events.map(({ id }) => id);
      expect(ids.toSorted()).toEqual(all.map(({ id }) => id).toSorted());
      for (const [n, ofReader] of found.entries()) expect(ofReader, `from ${n}`).toEqual(ids.slice(n));
    },
  },
  {
    title: 'an append between a hint and the wait for the next hint is reported',
    async run({ log, other }) {
      const hints = other.tail('s', 0, never())[Symbol.asyncIterator]();
      for (let place = 1; place <= 20; place++) {
        await log.append('s', [event(`e${place}`)]);
        let hint = 0;
        while (hint < place) hint = (await hints.next()).value ?? Number.NaN;
        expect(hint).toBe(place);
      }
      await hints.return?.();
    },
  },
  {
    title: 'a tail ends when its signal aborts, even before it begins or while it waits, and other tails continue',
    async run({ log }) {
      const [waiting, aborted] = [new AbortController(), AbortSignal.abort()];
      await log.append('s', events(1));
      const end = firstHints(log.tail('s', 1, waiting.signal), 1);
      const stays = firstHints(log.tail('s', 1, never()), 1);
      expect(await firstHints(log.tail('s', 0, aborted), 1)).toEqual([]);
      // Now the tails are waiting.
      await log.read('s', 0);
      waiting.abort();
      expect(await end).toEqual([]);
      await log.append('s', [event('x')]);
      expect(await stays).toEqual([2]);
    },
  },
  {
    title: 'a tail ends when its log is closed, and a tail that begins later ends at once',
    async run({ log }) {
      const ends = [firstHints(log.tail('s', 0, never()), 1), firstHints(log.tail('t', 0, never()), 1)];
      await log.read('s', 0);
      await log.close();
      expect(await Promise.all(ends)).toEqual([[], []]);
      expect(await firstHints(log.tail('s', 0, never()), 1)).toEqual([]);
    },
  },
];

/** Returns the first hints of a tail, or fewer if the tail ends earlier. */
async function firstHints(tail: AsyncIterable<number>, count: number): Promise<readonly number[]> {
  const hints: number[] = [];
  for await (const hint of tail) {
    hints.push(hint);
    if (hints.length === count) break;
  }
  return hints;
}
