import { verifies } from '@proto/requirements';
import { describe, expect, test } from 'vitest';
import { decodeLines, type Line } from './line-decoder.ts';

/** A source that gives its chunks, then ends or fails, and knows whether it was closed. */
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
  test('gives the lines of every chunk and the unterminated last one', async () => {
    const source = sourceOf(['a\nb', '', new TextEncoder().encode('c\n\nd\n'), 'e']);
    expect(await collect(decodeLines(source))).toEqual({ lines: ['a', 'bc', 'd', 'e'] });
    expect(source.closed).toBe(0);
  });

  verifies('R-5.3', 'a line above the limit stands in its place', async () => {
    const { lines } = await collect(decodeLines(sourceOf(['a\nlong', 'er\nb']), { maxLineBytes: 4 }));
    expect(lines).toEqual(['a', expect.objectContaining({ kind: 'too-large', bytes: 6, limit: 4 }), 'b']);
  });

  test('an error of the source comes after the lines before it, once, and without the line it cut off', async () => {
    const failure = new Error('reset');
    const iterator = decodeLines(sourceOf(['a\nb\ncut'], failure))[Symbol.asyncIterator]();
    expect(await iterator.next()).toEqual({ done: false, value: 'a' });
    expect(await iterator.next()).toEqual({ done: false, value: 'b' });
    await expect(iterator.next()).rejects.toBe(failure);
    expect(await iterator.next()).toEqual({ done: true, value: undefined });
  });

  test('leaving the loop closes the source and drops what was not asked for', async () => {
    const source = sourceOf(['a\nb\n', 'c\n']);
    const lines = decodeLines(source);
    for await (const line of lines) if (line === 'a') break;
    expect(source).toMatchObject({ closed: 1, pulled: 1 });

    const iterator = decodeLines(sourceOf(['a\nb\n']))[Symbol.asyncIterator]();
    await iterator.next();
    await iterator.return?.();
    expect(await iterator.next()).toEqual({ done: true, value: undefined });
  });

  test('closing while a call waits closes the source when it has answered', async () => {
    const source = sourceOf(['a\nb\n', 'c\n']);
    const iterator = decodeLines(source)[Symbol.asyncIterator]();
    const waiting = iterator.next();
    expect(await iterator.return?.()).toEqual({ done: true, value: undefined });
    expect(await waiting).toEqual({ done: false, value: 'a' });
    expect(source).toMatchObject({ closed: 1, pulled: 1 });
    expect(await iterator.next()).toEqual({ done: true, value: undefined });
  });

  test('calls made at once are answered in order', async () => {
    const iterator = decodeLines(sourceOf(['a', '\nb\nc\n', 'd\n']))[Symbol.asyncIterator]();
    const first = iterator.next();
    const afterFirst = first.then(() => iterator.next());
    const results = await Promise.all([first, iterator.next(), iterator.next(), iterator.next(), afterFirst]);
    expect(results.map((result) => result.value)).toEqual(['a', 'b', 'c', 'd', undefined]);
  });
});
