import { verifies } from '@proto/test-support/verifies';
import { describe, expect, test } from 'vitest';
import { decodeLines, type Line } from './line-decoder.ts';

/** A source that yields its chunks, then ends or fails, and counts how often it was closed. */
function sourceOf(chunks: readonly (Uint8Array | string)[], failure?: Error) {
  const source = {
    closed: 0,
    pulled: 0,
    [Symbol.asyncIterator]: () => ({
      async next(): Promise<IteratorResult<Uint8Array | string>> {
        const value = chunks[source.pulled++];
        if (value !== undefined) return { done: false, value };
        if (failure !== undefined) throw failure;
        return { done: true, value: undefined };
      },
      async return(): Promise<IteratorResult<Uint8Array | string>> {
        source.closed++;
        return { done: true, value: undefined };
      },
    }),
  };
  return source;
}

async function collect(lines: AsyncIterable<Line>): Promise<{ lines: Line[]; error?: unknown }> {
  const collected: Line[] = [];
  try {
    for await (const line of lines) collected.push(line);
  } catch (error) {
    return { lines: collected, error };
  }
  return { lines: collected };
}

describe('decodeLines', () => {
  test('yields the lines of all chunks, and the last line without a line end', async () => {
    const source = sourceOf(['a\nb', '', new TextEncoder().encode('c\n\nd\n'), 'e']);
    expect(await collect(decodeLines(source))).toEqual({ lines: ['a', 'bc', 'd', 'e'] });
    expect(source.closed).toBe(0);
  });

  verifies('FRAME-3', 'a line above the limit yields a too-large item at its position', async () => {
    const { lines } = await collect(decodeLines(sourceOf(['a\nlong', 'er\nb']), { maxLineBytes: 4 }));
    expect(lines).toEqual(['a', expect.objectContaining({ kind: 'too-large', bytes: 6, limit: 4 }), 'b']);
  });

  test('an error of the source is thrown once, after the complete lines and without the cut line', async () => {
    const failure = new Error('reset');
    const iterator = decodeLines(sourceOf(['a\nb\ncut'], failure))[Symbol.asyncIterator]();
    expect(await iterator.next()).toEqual({ done: false, value: 'a' });
    expect(await iterator.next()).toEqual({ done: false, value: 'b' });
    await expect(iterator.next()).rejects.toBe(failure);
    expect(await iterator.next()).toEqual({ done: true, value: undefined });
  });

  test('leaving the loop closes the source and drops the unread lines', async () => {
    const source = sourceOf(['a\nb\n', 'c\n']);
    const lines = decodeLines(source);
    for await (const line of lines) if (line === 'a') break;
    expect(source).toMatchObject({ closed: 1, pulled: 1 });

    const iterator = decodeLines(sourceOf(['a\nb\n']))[Symbol.asyncIterator]();
    await iterator.next();
    await iterator.return?.();
    expect(await iterator.next()).toEqual({ done: true, value: undefined });
  });

  test('return() during a pending next() closes the source after the pending call has settled', async () => {
    const source = sourceOf(['a\nb\n', 'c\n']);
    const iterator = decodeLines(source)[Symbol.asyncIterator]();
    const waiting = iterator.next();
    expect(await iterator.return?.()).toEqual({ done: true, value: undefined });
    expect(await waiting).toEqual({ done: false, value: 'a' });
    expect(source).toMatchObject({ closed: 1, pulled: 1 });
    expect(await iterator.next()).toEqual({ done: true, value: undefined });
  });

  test('concurrent calls of next() resolve in order', async () => {
    const iterator = decodeLines(sourceOf(['a', '\nb\nc\n', 'd\n']))[Symbol.asyncIterator]();
    const first = iterator.next();
    const afterFirst = first.then(() => iterator.next());
    const results = await Promise.all([first, iterator.next(), iterator.next(), iterator.next(), afterFirst]);
    expect(results.map((result) => result.value)).toEqual(['a', 'b', 'c', 'd', undefined]);
  });
});
