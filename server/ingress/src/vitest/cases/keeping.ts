import { expect } from 'vitest';
import type { EventLog } from '../../log/event-log.ts';
import { event, type EventLogCase, events, type LogContext } from '../event-log-under-test.ts';

/** Cases that check what survives the end of a process or a full disk. */
export const keeping: readonly EventLogCase[] = [
  {
    title: 'after a restart, all acknowledged events exist, and their streams continue with the next number',
    needs: 'reopen',
    async run(context) {
      await context.log.append('s', events(3));
      await context.log.writeDocument('s', 'd', 'kept');
      const before = await context.log.read('s', 0);
      await again(context, async (log) => {
        expect(await log.read('s', 0)).toEqual(before);
        expect(await log.readDocument('s', 'd')).toBe('kept');
        expect(await log.append('s', [event('e2'), event('e4')])).toMatchObject([
          { sequence: 2, duplicate: true },
          { sequence: 4, duplicate: false },
        ]);
      });
    },
  },
  {
    title: 'appends that were called before close are stored, awaited or not',
    needs: 'reopen',
    async run(context) {
      const appended = context.log.append('s', events(3));
      await context.log.close();
      expect(await appended).toHaveLength(3);
      await again(context, async (log) => expect((await log.read('s', 0)).last).toBe(3));
    },
  },
  {
    title: 'if no space is left, a write rejects with the code `full`, and no part of it is stored',
    needs: 'room',
    async run({ log, under }) {
      await log.append('s', [event('before')]);
      await under.room?.(log, false);
      const refused = await Promise.allSettled([
        log.append('s', [event('small'), event('large', 1_000_000)]),
        log.writeDocument('s', 'd', 'x'.repeat(1_000_000)),
      ]);
      for (const outcome of refused) {
        expect(outcome).toMatchObject({ status: 'rejected', reason: { name: 'EventLogError', code: 'full' } });
      }
      expect((await log.read('s', 0)).events.map(({ id }) => id)).toEqual(['before']);
      await under.room?.(log, true);
      expect(await log.append('s', [event('small'), event('large', 1_000_000)])).toMatchObject([
        { sequence: 2, duplicate: false },
        { sequence: 3, duplicate: false },
      ]);
      expect(await log.readDocument('s', 'd')).toBeUndefined();
    },
  },
];

async function again({ log, under, options }: LogContext, body: (log: EventLog) => Promise<void>): Promise<void> {
  await log.close();
  const reopened = await under.reopen?.(log, options);
  if (reopened === undefined)
    throw new Error('the case needs "reopen", which the event log under test does not provide');
  try {
    await body(reopened);
  } finally {
    await reopened.close();
  }
}
