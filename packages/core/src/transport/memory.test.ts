import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { encodeBatch } from './lines/batch.ts';
import { flattenIncoming } from './lines/incoming.ts';
import { createMemoryPair } from './memory.ts';
import { never, numbered, stateOf } from './scripted-driver.test-support.ts';
import type { Transport } from './transport.ts';

test('what one side sends the other reads, both ways', async () => {
  const { host, agent } = createMemoryPair();
  expect([host.name, agent.name]).toEqual(['memory', 'memory']);
  await Promise.all([host.opened, agent.opened]);
  await host.send(encodeBatch({ type: 'n', n: 1 }, { type: 'n', n: 2 }));
  await agent.send(numbered(3));
  expect([await take(agent, 2), await take(host, 1)]).toEqual([[1, 2], [3]]);
});

test('property: any message survives', async () => {
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

describe('hold', () => {
  test('keeps messages and ends on the wire, in order, until release', async () => {
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

  test('keeps the goodbye too: the other side does not know yet', async () => {
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

  test('a full wire pushes back', async () => {
    const { host, agent, hold, release } = createMemoryPair({ maxIncomingBytes: 1000 });
    hold();
    const sent = Array.from({ length: 100 }, (_, n) => host.send(numbered(n)));
    expect(await stateOf(sent[99] ?? never)).toBe('pending');
    release();
    expect(await take(agent, 100)).toEqual(Array.from({ length: 100 }, (_, n) => n));
    await Promise.all(sent);
  });
});

describe('back pressure', () => {
  test('sends wait while the other side does not read, and go on when it does; nothing is lost', async () => {
    const { host, agent } = createMemoryPair({ maxIncomingBytes: 1000 });
    const sent = Array.from({ length: 1000 }, (_, n) => host.send(numbered(n)));
    expect(await stateOf(Promise.all(sent))).toBe('pending');
    expect(await take(agent, 1000)).toEqual(Array.from({ length: 1000 }, (_, n) => n));
    await Promise.all(sent);
  });

  test('also within one tick, when the other side cannot have said anything yet', async () => {
    const { host } = createMemoryPair({ maxIncomingBytes: 1000 });
    await host.opened;
    const sent = Array.from({ length: 1000 }, (_, n) => host.send(numbered(n)));
    expect(await stateOf(sent[999] ?? never)).toBe('pending');
    host.abort();
  });

  test('one direction does not hold up the other', async () => {
    const { host, agent } = createMemoryPair({ maxIncomingBytes: 1000 });
    const sent = Array.from({ length: 1000 }, (_, n) => host.send(numbered(n)));
    await agent.send(numbered(1));
    expect(await take(host, 1)).toEqual([1]);
    expect(await stateOf(Promise.all(sent))).toBe('pending');
    agent.abort();
    await expect(sent[999]).rejects.toMatchObject({ code: 'lost' });
  });

  test('a side that leaves lets go of who waited for it', async () => {
    const { host, agent } = createMemoryPair({ maxIncomingBytes: 1000 });
    const sent = Array.from({ length: 1000 }, (_, n) => host.send(numbered(n)));
    await stateOf(never);
    await agent.close();
    await host.closed;
    expect((await Promise.allSettled(sent)).map(({ status }) => status)).toContain('rejected');
  });
});

describe('ends', () => {
  test('end is a half-close: the other direction stays open until it ends as well', async () => {
    const { host, agent } = createMemoryPair();
    await host.end();
    expect(await take(agent, 1)).toEqual([]);
    await agent.send(numbered(1));
    expect(await take(host, 1)).toEqual([1]);
    await agent.end();
    expect([await host.closed, await agent.closed]).toEqual([{ by: 'local' }, { by: 'peer' }]);
  });

  test('close is a clean end on both sides, behind what was sent', async () => {
    const { host, agent } = createMemoryPair();
    void host.send(numbered(1));
    await host.close();
    expect(await take(agent, 2)).toEqual([1]);
    expect([await host.closed, await agent.closed]).toEqual([{ by: 'local' }, { by: 'peer' }]);
  });

  test('abort is a lost link to the other side, and what was on the wire is lost', async () => {
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

  test('abort reaches a side that is behind: its sends do not wait for its reader', async () => {
    const { host, agent } = createMemoryPair({ maxIncomingBytes: 10 });
    await host.send(numbered(1));
    await stateOf(never);
    host.abort();
    expect(await agent.closed).toMatchObject({ by: 'link', error: { code: 'lost' } });
    const items = agent.incoming[Symbol.asyncIterator]();
    expect((await items.next()).value).toHaveLength(1);
    await expect(items.next()).rejects.toMatchObject({ code: 'lost' });
  });

  test('both may close at once', async () => {
    const { host, agent } = createMemoryPair();
    await Promise.all([host.close(), agent.close()]);
    expect([await host.closed, await agent.closed]).toEqual([{ by: 'local' }, { by: 'local' }]);
  });

  test('both may close with what they sent unread', async () => {
    const { host, agent } = createMemoryPair({ maxIncomingBytes: 10 });
    for (const side of [host, agent]) for (const n of [1, 2, 3]) void side.send(numbered(n));
    await stateOf(never);
    await Promise.all([host.close(), agent.close()]);
  });
});

const iterators = new WeakMap<Transport, ReturnType<typeof flattenIncoming>>();

/** The numbers of the next messages; fewer where the other side ends before. Leaves the iteration where it is. */
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
