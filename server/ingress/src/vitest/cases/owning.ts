import { expect } from 'vitest';
import { event, type EventLogCase } from '../event-log-under-test.ts';

const prompt = (id: string, sender: string) => ({ ...event(id), owner: `client:${sender}`, topic: 'user' });
const echo = (id: string, echoes = 'user') => ({
  ...event(id),
  owner: 'worker',
  echoes,
  spareId: `${id} of the worker`,
});

/** Cases that check that an id belongs to one owner, and what happens to events of other owners with the same id. */
export const owning: readonly EventLogCase[] = [
  {
    title: 'an id is a duplicate only if the same owner appends it again',
    async run({ log, options, pass }) {
      const createdAt = options.now();
      await log.append('s', [prompt('x', 'alice')]);
      pass(1);
      expect(await log.append('s', [prompt('x', 'alice'), prompt('x', 'bob'), event('x')])).toEqual([
        { id: 'x', sequence: 1, createdAt, duplicate: true },
        { id: 'x', sequence: 1, createdAt, duplicate: false, taken: true },
        { id: 'x', sequence: 1, createdAt, duplicate: false, taken: true },
      ]);
      await log.append('s', [event('nobody')]);
      expect(await log.append('s', [event('nobody'), prompt('nobody', 'alice')])).toMatchObject([
        { sequence: 2, duplicate: true },
        { sequence: 2, duplicate: false, taken: true },
      ]);
      expect((await log.read('s', 0)).last).toBe(2);
    },
  },
  {
    title: 'an echo is a duplicate only of the event with the same topic',
    async run({ log }) {
      await log.append('s', [prompt('x', 'alice'), { ...event('bare'), owner: 'client:alice' }]);
      const { spareId, ...unspared } = echo('x', 'control_response:1');
      expect(spareId).toBe('x of the worker');
      expect(await log.append('s', [echo('x'), unspared, { ...echo('bare'), spareId: undefined }])).toMatchObject([
        { id: 'x', sequence: 1, duplicate: true },
        { id: 'x', sequence: 1, duplicate: false, taken: true },
        { id: 'bare', sequence: 2, duplicate: false, taken: true },
      ]);
      // The topic does not make an event an echo. Only its sender does, by marking the event as an echo.
      expect(await log.append('s', [{ ...prompt('x', 'bob') }])).toMatchObject([{ taken: true }]);
      expect((await log.read('s', 0)).last).toBe(2);
    },
  },
  {
    title: 'an event whose id is already used is stored once under its spare id, with its payload unchanged',
    async run({ log, options }) {
      const createdAt = options.now();
      await log.append('s', [{ ...prompt('x', 'alice'), topic: 'control_response:1' }]);
      const kept = { id: 'x of the worker', sequence: 2, createdAt };
      expect(await log.append('s', [echo('x'), echo('x'), echo('y')])).toEqual([
        { ...kept, duplicate: false },
        { ...kept, duplicate: true },
        { id: 'y', sequence: 3, createdAt, duplicate: false },
      ]);
      expect(await log.append('s', [echo('x')])).toEqual([{ ...kept, duplicate: true }]);
      const { events } = await log.read('s', 1);
      expect(events).toEqual([
        { ...event('x'), id: 'x of the worker', owner: 'worker', sequence: 2, createdAt },
        { ...event('y'), owner: 'worker', sequence: 3, createdAt },
      ]);
    },
  },
  {
    title: 'an event whose spare id is used as well is not stored, but the rest of the append is stored',
    async run({ log }) {
      await log.append('s', [
        { ...prompt('x', 'alice'), topic: 'a' },
        { ...prompt('x of the worker', 'alice'), topic: 'b' },
      ]);
      const [between, taken, after] = await log.append('s', [event('between'), echo('x'), event('after')]);
      expect([between, after]).toMatchObject([{ sequence: 3 }, { sequence: 4 }]);
      expect(taken).toMatchObject({ id: 'x', sequence: 1, duplicate: false, taken: true });
      expect(await log.append('s', [{ ...echo('x', 'b') }])).toMatchObject([
        { id: 'x of the worker', duplicate: true },
      ]);
      expect((await log.read('s', 2)).events.map(({ id }) => id)).toEqual(['between', 'after']);
    },
  },
  {
    title: 'find returns the position, time, owner and topic of a known id',
    async run({ log, options }) {
      const createdAt = options.now();
      await log.append('s', [event('plain'), prompt('x', 'al\u0000ice')]);
      expect(await log.find('s', 'plain')).toEqual({ sequence: 1, createdAt });
      expect(await log.find('s', 'x')).toEqual({ sequence: 2, createdAt, owner: 'client:al\u0000ice', topic: 'user' });
      expect(await log.find('s', 'y')).toBeUndefined();
      expect(await log.find('t', 'x')).toBeUndefined();
    },
  },
  {
    title: 'the owner of an id is known as long as the id, even if its event was dropped because of its size',
    maxBytes: 50,
    async run({ log, options, pass }) {
      const createdAt = options.now();
      await log.append('s', [prompt('x', 'alice'), event('large', 100)]);
      expect((await log.read('s', 0)).events.map(({ id }) => id)).toEqual(['large']);
      expect(await log.find('s', 'x')).toEqual({ sequence: 1, createdAt, owner: 'client:alice', topic: 'user' });
      expect(await log.append('s', [prompt('x', 'alice'), echo('x'), prompt('x', 'bob')])).toMatchObject([
        { sequence: 1, duplicate: true },
        { sequence: 1, duplicate: true },
        { sequence: 1, duplicate: false, taken: true },
      ]);
      pass(options.maxAgeMs + 1);
      await log.expire();
      expect(await log.find('s', 'x')).toBeUndefined();
      expect(await log.append('s', [prompt('x', 'bob')])).toMatchObject([{ duplicate: false }]);
    },
  },
];
