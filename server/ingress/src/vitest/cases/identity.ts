import { expect } from 'vitest';
import type { EventLog } from '../../log/event-log.ts';
import { event, type EventLogCase, events, type LogContext } from '../event-log-under-test.ts';

/** Cases that check the identity of a store, which changes when a backup is restored. */
export const identity: readonly EventLogCase[] = [
  {
    title: 'a log shares all its events with its own identity, and none with an unknown identity',
    async run({ log, other }) {
      await log.append('s', events(3));
      expect(log.identity).toMatch(/^[\w-]{1,64}$/);
      expect(other.identity).toBe(log.identity);
      expect(await log.commonWith('s', log.identity)).toBe(Infinity);
      expect(await log.commonWith('s', 'another')).toBe(0);
      expect(await log.commonWith('unknown', log.identity)).toBe(Infinity);
    },
  },
  {
    title: 'two stores have different identities',
    async run({ log, under, options }) {
      const second = await under.open(options);
      try {
        expect(second.identity).not.toBe(log.identity);
      } finally {
        await second.close();
      }
    },
  },
  {
    title: 'the identity does not change after a restart',
    needs: 'reopen',
    async run({ log, under, options }) {
      const before = log.identity;
      await log.close();
      const reopened = await under.reopen?.(log, options);
      expect(reopened?.identity).toBe(before);
      await reopened?.close();
    },
  },
  {
    title: 'a restored backup has a new identity, and knows which events it shares with the previous identity',
    needs: 'restore',
    async run(context) {
      const before = context.log.identity;
      await context.log.append('s', events(3));
      await restored(context, context.log, async (log) => {
        expect(log.identity).not.toBe(before);
        expect(await log.commonWith('s', before)).toBe(3);
        expect(await log.commonWith('lost', before)).toBe(0);
        // Two events were lost. Appending two new events must not make the log look like the earlier log.
        await log.append('s', events(2, 'new'));
        expect(await log.commonWith('s', before)).toBe(3);
        expect((await log.read('s', 3)).events.map(({ id }) => id)).toEqual(['new1', 'new2']);
      });
    },
  },
  {
    title: 'after a second restore, the log knows both previous identities until the stream is dropped',
    needs: 'restore',
    async run(context) {
      const first = context.log.identity;
      await context.log.append('s', events(3));
      await restored(context, context.log, async (log) => {
        const second = log.identity;
        await log.append('s', [event('between')]);
        await restored(context, log, async (last) => {
          expect(await last.commonWith('s', first)).toBe(3);
          expect(await last.commonWith('s', second)).toBe(4);
          context.pass(context.options.maxAgeMs + 1);
          await last.expire();
          await last.append('s', [event('anew')]);
          expect(await last.commonWith('s', first)).toBe(0);
        });
      });
    },
  },
];

/** Restores a backup of a log to which two events were appended after the backup. */
async function restored(
  { under, options }: LogContext,
  log: EventLog,
  body: (log: EventLog) => Promise<void>,
): Promise<void> {
  const lose = async () => {
    await log.append('s', events(2, 'lost'));
    await log.append('lost', events(2));
    await log.close();
  };
  const restore = await under.restore?.(log, lose, options);
  if (restore === undefined)
    throw new Error('the case needs "restore", which the event log under test does not provide');
  try {
    await body(restore);
  } finally {
    await restore.close();
  }
}
