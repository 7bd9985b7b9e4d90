import { PassThrough } from 'node:stream';
import { createMemoryPair, flattenIncoming, type Incoming, incomingLines, type Transport } from '@proto/core/transport';
import { verifies } from '@proto/test-support/verifies';
import { createStdioTransport } from '@proto/transport-stdio';
import { expect, test } from 'vitest';
import { joinInput } from './join-input.ts';

/** More lines than any buffer limit allows, but few enough that a reader that ignores the limit does not fill the memory. */
const LINES = 500;

/** A source that yields the same line repeatedly, counts the lines that were read, and records when it is released. */
function longSource(text: string) {
  const seen = { taken: 0, isReleased: false };
  const lines: AsyncIterableIterator<readonly Incoming[]> = {
    [Symbol.asyncIterator]: () => lines,
    async next() {
      if (seen.taken >= LINES) return { done: true, value: undefined };
      seen.taken++;
      return { done: false, value: incomingLines([text]) };
    },
    async return() {
      seen.isReleased = true;
      return { done: true, value: undefined };
    },
  };
  return { lines, seen };
}

const MEGABYTE = `{"type":"x","text":"${'x'.repeat(2 ** 20)}"}`;

verifies(
  'WORKER-1',
  'initial lines are read only up to the buffer limit while the consumer does not read',
  async () => {
    const { agent: inner } = createMemoryPair();
    const { lines, seen } = longSource(MEGABYTE);
    const { transport } = joinInput(inner, { lines });
    await expect.poll(() => seen.taken).toBeGreaterThan(10);
    const { taken } = seen;
    for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
    expect([seen.taken, seen.taken < 20]).toEqual([taken, true]);
    const items = flattenIncoming(transport.incoming)[Symbol.asyncIterator]();
    for (let n = 0; n < 40; n++) expect(await items.next()).toMatchObject({ value: { kind: 'message' } });
    transport.abort();
    await transport.closed;
  },
);

test.each<[string, (joined: ReturnType<typeof joinInput>, inner: Transport, far: Transport) => unknown]>([
  ['it is closed', ({ transport }) => transport.close()],
  ['it is aborted', ({ transport }) => transport.abort()],
  ['its reader leaves', ({ transport }) => transport.incoming[Symbol.asyncIterator]().return?.()],
  ['the session ends', (joined) => joined.endInput()],
  ['the other side ends', (_joined, _inner, far) => far.end()],
  ['the link breaks', (_joined, inner) => inner.abort()],
])('the source of the initial lines is released when %s', async (_, end) => {
  const { agent: inner, host: far } = createMemoryPair();
  const { lines, seen } = longSource(MEGABYTE);
  const joined = joinInput(inner, { lines });
  await joined.transport.opened;
  joined.transport.closed.catch(() => {});
  await expect.poll(() => seen.taken).toBeGreaterThan(10);
  expect(seen.isReleased).toBe(false);
  void end(joined, inner, far);
  await expect.poll(() => seen.isReleased).toBe(true);
  joined.transport.abort();
});

verifies(
  ['WORKER-1', 'WORKER-2'],
  'initial lines arrive whole, wherever the data of the session is split',
  async () => {
    const line = '{"type":"a","text":"{\\"ü\\"}"}';
    const bytes = Buffer.from(`${line}\n`);
    const initial = ['{"type":"first"}', '{"type":"second"}'] as const;
    for (let cut = 0; cut <= bytes.length; cut++) {
      const input = new PassThrough();
      const inner = createStdioTransport({ input, output: new PassThrough() });
      async function* lines() {
        yield incomingLines([initial[0]]);
        // Only a part of a session line has arrived here.
        input.write(bytes.subarray(0, cut));
        await new Promise(setImmediate);
        yield incomingLines([initial[1]]);
        input.end(bytes.subarray(cut));
      }
      const { transport } = joinInput(inner, { lines: lines() });
      const texts: string[] = [];
      for await (const item of flattenIncoming(transport.incoming)) if (item.kind === 'message') texts.push(item.text);
      expect(texts.filter((text) => text !== line)).toEqual(initial);
      expect(texts.filter((text) => text === line)).toEqual([line]);
    }
  },
);
