import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { encodeBatch } from './lines/batch.ts';
import { flattenIncoming } from './lines/incoming.ts';
import { createMemoryPair } from './memory.ts';
import { never, numbered, stateOf } from './scripted-driver.test-support.ts';
import type { Transport } from './transport.ts';

test('each side of a memory pair reads the messages that the other side sends', async () => {
  const { host, agent } = createMemoryPair();
  expect([host.name, agent.name]).toEqual(['memory', 'memory']);
  await Promise.all([host.opened, agent.opened]);
  await host.send(encodeBatch({ type: 'n', n: 1 }, { type: 'n', n: 2 }));
  await agent.send(numbered(3));
  expect([await take(agent, 2), await take(host, 1)]).toEqual([[1, 2], [3]]);
});

test('property: any message passes a memory pair unchanged', async () => {
  const { host, agent } = createMemoryPair();
  const items = flattenIncoming(agent.incoming);
  await fc.assert(
    fc.asyncProperty(fc.json(), fc.string({ unit: 'binary' }), async (json, text) => {
      const message = { type: 'any', value: JSON.parse(json) as unknown, text };
      await host.send(encodeBatch(message));
      const { value } = await items.next();
      expect(value?.kind === 'message' && value.read().message).toEqual(JSON.parse(JSON.stringify(message)));
    }),
  );
}, 30_000);

describe('hold on a memory pair', () => {
  test('keeps messages and the end on the wire, in order, until release', async () => {
    const { host, agent, hold, release } = createMemoryPair();
    const items = agent.incoming[Symbol.asyncIterator]();
    hold();
    await host.send(numbered(1));
    await host.send(numbered(2));
    await host.end();
    const next = items.next();
    expect(await stateOf(next)).toBe('pending');
    release();
    expect((await next).value).toHaveLength(1);
    expect((await items.next()).value).toHaveLength(1);
    expect(await items.next()).toEqual({ done: true, value: undefined });
  });

  test('also keeps the close on the wire, so that the other side does not know of it yet', async () => {
    const { host, agent, hold, release } = createMemoryPair();
    hold();
    await host.send(numbered(1));
    await host.close();
    await agent.send(numbered(2));
    expect(await stateOf(agent.closed)).toBe('pending');
    release();
    expect(await agent.closed).toEqual({ by: 'peer' });
    expect(await take(agent, 1)).toEqual([1]);
  });

  test('blocks the sender when the wire is full', async () => {
    const { host, agent, hold, release } = createMemoryPair({ maxIncomingBytes: 1000 });
    hold();
    const sent = Array.from({ length: 100 }, (_, n) => host.send(numbered(n)));
    expect(await stateOf(sent[99] ?? never)).toBe('pending');
    release();
    expect(await take(agent, 100)).toEqual(Array.from({ length: 100 }, (_, n) => n));
    await Promise.all(sent);
  });
});

describe('back pressure of a memory pair', () => {
  test('blocks sends while the other side does not read, and loses no message', async () => {
    const { host, agent } = createMemoryPair({ maxIncomingBytes: 1000 });
    const sent = Array.from({ length: 1000 }, (_, n) => host.send(numbered(n)));
    expect(await stateOf(Promise.all(sent))).toBe('pending');
    expect(await take(agent, 1000)).toEqual(Array.from({ length: 1000 }, (_, n) => n));
    await Promise.all(sent);
  });

  test('also works within one tick, before the other side can report anything', async () => {
    const { host } = createMemoryPair({ maxIncomingBytes: 1000 });
    await host.opened;
    const sent = Array.from({ length: 1000 }, (_, n) => host.send(numbered(n)));
    expect(await stateOf(sent[999] ?? never)).toBe('pending');
    host.abort();
  });

  test('in one direction does not block the other direction', async () => {
    const { host, agent } = createMemoryPair({ maxIncomingBytes: 1000 });
    const sent = Array.from({ length: 1000 }, (_, n) => host.send(numbered(n)));
    await agent.send(numbered(1));
    expect(await take(host, 1)).toEqual([1]);
    expect(await stateOf(Promise.all(sent))).toBe('pending');
    agent.abort();
    await expect(sent[999]).rejects.toMatchObject({ code: 'lost' });
  });

  test('ends when the other side leaves, and rejects the blocked sends', async () => {
    const { host, agent } = createMemoryPair({ maxIncomingBytes: 1000 });
    const sent = Array.from({ length: 1000 }, (_, n) => host.send(numbered(n)));
    await stateOf(never);
    await agent.close();
    await host.closed;
    expect((await Promise.allSettled(sent)).map(({ status }) => status)).toContain('rejected');
  });
});

describe('the end of a memory pair', () => {
  test('by end is a half-close: the other direction stays open until it ends as well', async () => {
    const { host, agent } = createMemoryPair();
    await host.end();
    expect(await take(agent, 1)).toEqual([]);
    await agent.send(numbered(1));
    expect(await take(host, 1)).toEqual([1]);
    await agent.end();
    expect([await host.closed, await agent.closed]).toEqual([{ by: 'local' }, { by: 'peer' }]);
  });

  test('by close is a clean end for both sides, after the messages that were sent', async () => {
    const { host, agent } = createMemoryPair();
    void host.send(numbered(1));
    await host.close();
    expect(await take(agent, 2)).toEqual([1]);
    expect([await host.closed, await agent.closed]).toEqual([{ by: 'local' }, { by: 'peer' }]);
  });

  test('by abort is a lost link for the other side, and loses the messages on the wire', async () => {
    const { host, agent, hold, release } = createMemoryPair();
    await agent.opened;
    hold();
    await host.send(numbered(1));
    host.abort(new Error('enough'));
    expect(await host.closed).toMatchObject({ by: 'local', error: { code: 'aborted' } });
    release();
    await expect(take(agent, 1)).rejects.toMatchObject({ code: 'lost' });
    expect(await agent.closed).toMatchObject({ by: 'link', error: { code: 'lost' } });
  });

  test('by abort reaches a side with unread messages: its sends do not wait for its reader', async () => {
    const { host, agent } = createMemoryPair({ maxIncomingBytes: 10 });
    await host.send(numbered(1));
    await stateOf(never);
    host.abort();
    expect(await agent.closed).toMatchObject({ by: 'link', error: { code: 'lost' } });
    const items = agent.incoming[Symbol.asyncIterator]();
    expect((await items.next()).value).toHaveLength(1);
    await expect(items.next()).rejects.toMatchObject({ code: 'lost' });
  });

  test('is clean if both sides close at the same time', async () => {
    const { host, agent } = createMemoryPair();
    await Promise.all([host.close(), agent.close()]);
    expect([await host.closed, await agent.closed]).toEqual([{ by: 'local' }, { by: 'local' }]);
  });

  test('is clean if both sides close with unread messages', async () => {
    const { host, agent } = createMemoryPair({ maxIncomingBytes: 10 });
    for (const side of [host, agent]) for (const n of [1, 2, 3]) void side.send(numbered(n));
    await stateOf(never);
    await Promise.all([host.close(), agent.close()]);
  });
});

const iterators = new WeakMap<Transport, ReturnType<typeof flattenIncoming>>();

/** The numbers of the next messages, or fewer if the other side ends earlier. Does not close the iteration. */
async function take(transport: Transport, count: number): Promise<unknown[]> {
  const items = iterators.get(transport) ?? flattenIncoming(transport.incoming);
  iterators.set(transport, items);
  const numbers: unknown[] = [];
  while (numbers.length < count) {
    const { done, value } = await items.next();
    if (done) break;
    if (value.kind === 'message') numbers.push(value.read().message?.['n']);
  }
  return numbers;
}
