import { expect } from 'vitest';
import { claimed, event, type EventLogCase, events } from '../event-log-under-test.ts';

const conflict = { name: 'EventLogError', code: 'conflict' };
const fenced = { name: 'EventLogError', code: 'fenced' };

/** Cases that check the conditions of a write. */
export const conditions: readonly EventLogCase[] = [
  {
    title: 'a write with `after` is stored if the stream ends at this number, and is a conflict otherwise',
    async run({ log }) {
      expect(await log.append('s', events(2), { after: 0 })).toMatchObject([{ sequence: 1 }, { sequence: 2 }]);
      expect(await log.append('s', [event('x')], { after: 2 })).toMatchObject([{ sequence: 3 }]);
      await log.writeDocument('s', 'd', 'of 3', { after: 3 });
      for (const after of [0, 2, 4]) {
        await expect(log.append('s', events(2, 'y'), { after }), `after ${after}`).rejects.toMatchObject(conflict);
        await expect(log.writeDocument('s', 'd', 'late', { after })).rejects.toMatchObject(conflict);
      }
      // The same condition applies to repeating a stored append, and to appending nothing.
      await expect(log.append('s', [event('x')], { after: 2 })).rejects.toMatchObject(conflict);
      await expect(log.append('s', [], { after: 2 })).rejects.toMatchObject(conflict);
      expect((await log.read('s', 0)).events.map(({ id }) => id)).toEqual(['e1', 'e2', 'x']);
      expect(await log.readDocument('s', 'd')).toBe('of 3');
    },
  },
  {
    title: 'a rejected write neither affects other writes at the same time nor creates a stream',
    async run({ log }) {
      const outcomes = await Promise.allSettled([
        log.append('s', [event('a')]),
        log.append('s', [event('b')], { after: 0 }),
        log.append('s', [event('c')], { after: 1 }),
        log.writeDocument('s', 'd', 'lost', { epoch: 1 }),
        log.append('new', [event('a')], { after: 1 }),
        log.writeDocument('new', 'd', 'lost', { epoch: 1 }),
        log.append('s', [event('d')]),
      ]);
      const codes = outcomes.map((outcome) => (outcome.status === 'rejected' ? outcome.reason.code : 'stored'));
      expect(codes).toEqual(['stored', 'conflict', 'stored', 'fenced', 'conflict', 'fenced', 'stored']);
      expect((await log.read('s', 0)).events.map(({ id }) => id)).toEqual(['a', 'c', 'd']);
      expect(await log.listStreams({ limit: 10 })).toEqual(['s']);
      expect(await log.usage()).toEqual({ streams: 1, bytes: 9 });
      expect(await log.append('s', [event('b')])).toMatchObject([{ sequence: 4, duplicate: false }]);
    },
  },
  {
    title: 'an epoch allows writes only to the stream that was claimed and to its parts',
    async run({ log }) {
      const epoch = await claimed(log, 'a');
      expect(await log.append('s', [event('x')], { epoch })).toMatchObject([{ sequence: 1 }]);
      expect(await log.append('s/part', [event('x')], { epoch })).toMatchObject([{ sequence: 1 }]);
      await log.writeDocument('s', 'd', 'mine', { epoch });
      const other = await claimed(log, 'a', { stream: 't' });
      for (const [stream, wrong] of [
        ['s', other],
        ['t', epoch],
        ['never claimed', epoch],
        ['s', epoch + 1000],
        ['s', epoch - 1],
        ['s', 0],
      ] as const) {
        const title = `${stream} with ${wrong}`;
        await expect(log.append(stream, [event('y')], { epoch: wrong }), title).rejects.toMatchObject(fenced);
        await expect(log.writeDocument(stream, 'd', 'y', { epoch: wrong }), title).rejects.toMatchObject(fenced);
      }
      expect(await log.read('s', 1)).toEqual({ events: [], last: 1 });
      expect(await log.readDocument('s', 'd')).toBe('mine');
    },
  },
  {
    title: 'both conditions must hold, and if both fail, the error reports the lost claim',
    async run({ log }) {
      const epoch = await claimed(log, 'a');
      expect(await log.append('s', events(1), { after: 0, epoch })).toMatchObject([{ sequence: 1 }]);
      await expect(log.append('s', [event('x')], { after: 0, epoch })).rejects.toMatchObject(conflict);
      await expect(log.append('s', [event('x')], { after: 1, epoch: epoch + 1 })).rejects.toMatchObject(fenced);
      await expect(log.append('s', [event('x')], { after: 0, epoch: epoch + 1 })).rejects.toMatchObject(fenced);
      expect((await log.read('s', 0)).last).toBe(1);
    },
  },
  {
    title: 'a write without a condition is stored, whichever node has the claim',
    async run({ log, other }) {
      await claimed(log, 'a');
      expect(await other.append('s', [event('x')])).toMatchObject([{ sequence: 1, duplicate: false }]);
      await other.writeDocument('s', 'd', 'of nobody');
      expect(await log.readDocument('s', 'd')).toBe('of nobody');
    },
  },
];
