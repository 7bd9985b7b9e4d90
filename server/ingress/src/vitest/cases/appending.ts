import { expect } from 'vitest';
import { claimed, event, type EventLogCase, events } from '../event-log-under-test.ts';

const sequences = (results: readonly { readonly sequence: number }[]) => results.map(({ sequence }) => sequence);

/** Cases that check what a write changes and what it leaves unchanged. */
export const appending: readonly EventLogCase[] = [
  {
    title: 'the sequence numbers of each stream begin at 1 and have no gaps',
    async run({ log }) {
      expect(sequences(await log.append('a', events(3)))).toEqual([1, 2, 3]);
      expect(sequences(await log.append('b', events(2)))).toEqual([1, 2]);
      expect(sequences(await log.append('a', events(2, 'f')))).toEqual([4, 5]);
      expect(await log.append('a', [])).toEqual([]);
      expect((await log.read('a', 0)).events.map(({ sequence, id }) => [sequence, id])).toEqual([
        [1, 'e1'],
        [2, 'e2'],
        [3, 'e3'],
        [4, 'f1'],
        [5, 'f2'],
      ]);
    },
  },
  {
    title: 'appends are stored in the order of their calls, awaited or not',
    async run({ log }) {
      const calls = events(50).map((one) => log.append('s', [one]));
      expect((await Promise.all(calls)).flat().map(({ sequence }) => sequence)).toEqual(
        Array.from({ length: 50 }, (_, index) => index + 1),
      );
    },
  },
  {
    title: 'an id is stored only once, and a repeated append returns the position of the first event',
    async run({ log, options, pass }) {
      const createdAt = options.now();
      const once = await log.append('s', [event('x'), { ...event('x'), payload: '"other"' }, event('y')]);
      expect(once).toEqual([
        { id: 'x', sequence: 1, createdAt, duplicate: false },
        { id: 'x', sequence: 1, createdAt, duplicate: true },
        { id: 'y', sequence: 2, createdAt, duplicate: false },
      ]);
      pass(1);
      const again = await Promise.all([log.append('s', [event('y')]), log.append('s', [event('y'), event('z')])]);
      expect(again.flat()).toEqual([
        { id: 'y', sequence: 2, createdAt, duplicate: true },
        { id: 'y', sequence: 2, createdAt, duplicate: true },
        { id: 'z', sequence: 3, createdAt: options.now(), duplicate: false },
      ]);
      expect((await log.read('s', 0)).events.map(({ payload }) => payload)).toEqual(['"x"', '"y"', '"z"']);
      expect(await log.append('t', [event('x')])).toMatchObject([{ sequence: 1, duplicate: false }]);
    },
  },
  {
    title: 'events are read as they were appended, with the time of their append',
    async run({ log, options }) {
      const given = {
        id: '\u{1f600}\0',
        type: 'a"\'b',
        source: 'wörker',
        owner: 'client:\0"',
        topic: '\u2028',
        payload: JSON.stringify({ text: '\u2028\0\n\ud83d', n: 1e300, nested: [{}, null] }),
        attributes: '{"by":"someone"}\0 and more',
      };
      await log.append("it's; a stream", [given, event('plain')]);
      const { events } = await log.read("it's; a stream", 0);
      const createdAt = options.now();
      expect(events).toEqual([
        { ...given, sequence: 1, createdAt },
        { ...event('plain'), sequence: 2, createdAt },
      ]);
    },
  },
  {
    title: 'names and ids of any length are stored whole, and duplicates among them are recognized',
    async run({ log, other }) {
      const long = (text: string) =>
        `${text}${Array.from({ length: 2000 }, (_, n) => (n * n * 7919).toString(36)).join('-')}`;
      const [stream, id, spareId, document] = [long('s'), long('id'), long('spare'), long('document')];
      const own = { ...event('short'), id, owner: 'a' };
      expect(await log.append(stream, [own, own])).toMatchObject([
        { id, sequence: 1, duplicate: false },
        { id, sequence: 1, duplicate: true },
      ]);
      expect(
        await other.append(stream, [
          { ...own, owner: 'b', spareId },
          { ...own, owner: 'c' },
        ]),
      ).toMatchObject([
        { id: spareId, sequence: 2, duplicate: false },
        { id, taken: true },
      ]);
      // The ids differ only at the end.
      expect(await log.append(stream, [event(`${id}.`)])).toMatchObject([{ sequence: 3, duplicate: false }]);
      expect((await log.read(stream, 0)).events.map((one) => one.id)).toEqual([id, spareId, `${id}.`]);
      expect(await other.find(stream, id)).toMatchObject({ sequence: 1, owner: 'a' });
      for (const text of ['one', 'other']) await log.writeDocument(stream, document, text);
      expect(await other.readDocument(stream, document)).toBe('other');
      const epoch = await claimed(log, 'a', { stream });
      expect(await other.claim(`${stream}/part`, 'b', 1000)).toMatchObject({ heldBy: 'a' });
      await log.append(`${stream}/part`, [event('x')], { epoch });
      await log.append(long('@own'), [event('x')]);
      expect(await other.listStreams({ limit: 5 })).toEqual([stream]);
      expect((await log.usage()).streams).toBe(1);
      const hints = other.tail(stream, 0, new AbortController().signal)[Symbol.asyncIterator]();
      expect(await hints.next()).toEqual({ value: 3, done: false });
      await hints.return?.();
    },
  },
  {
    title: 'after close, every call rejects with the code `closed`',
    async run({ log }) {
      await log.append('s', events(1));
      await log.close();
      await log.close();
      const calls = [
        log.append('s', events(1)),
        log.read('s', 0),
        log.writeDocument('s', 'd', ''),
        log.readDocument('s', 'd'),
        log.expire(),
        log.find('s', 'e1'),
        log.usage(),
        log.claim('s', 'a', 1),
        log.release('s', 1),
      ];
      for (const call of calls) await expect(call).rejects.toMatchObject({ name: 'EventLogError', code: 'closed' });
    },
  },
];
