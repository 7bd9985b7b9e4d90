import { PassThrough, Writable } from 'node:stream';
import { batchOf } from '@proto/core/transport';
import { verifies } from '@proto/requirements';
import { describe, expect, test } from 'vitest';
import { DEFAULT_SLICE_LENGTH, slicedOutput } from './sliced-output.ts';
import { createStdioTransport } from './stdio-transport.ts';

/** A stream that remembers its writes. */
function recorder() {
  const writes: string[] = [];
  const stream = new Writable({
    decodeStrings: false,
    write(chunk: string, _, done) {
      writes.push(String(chunk));
      done();
    },
  });
  return { stream, writes };
}

describe.each([
  ['S0-01', 'stdout'],
  ['S0-02', 'stderr'],
])('a sliced output', (row, name) => {
  verifies(
    row,
    `for ${name} writes slices of at most 2000 characters, in order, nothing lost or repeated`,
    async () => {
      for (const length of [0, 1, 1999, 2000, 2001, 1_000_000]) {
        const text = Array.from({ length: Math.ceil(length / 7) }, (_, n) => String(n).padStart(7, '.')).join('');
        const { stream, writes } = recorder();
        const output = slicedOutput(stream);
        await new Promise((resolve) => output.write(text.slice(0, length), resolve));
        expect(writes.join('')).toBe(text.slice(0, length));
        expect(writes).toHaveLength(Math.max(1, Math.ceil(length / DEFAULT_SLICE_LENGTH)));
        expect(Math.max(...writes.map((slice) => slice.length))).toBeLessThanOrEqual(2000);
      }
    },
  );
});

describe('a slice', () => {
  test('does not end within a surrogate pair', () => {
    const { stream, writes } = recorder();
    slicedOutput(stream, 3).write('ab😀cd😀\ud83d');
    expect(writes).toEqual(['ab', '😀c', 'd😀', '\ud83d']);
  });

  test('holds at least a surrogate pair', () => {
    for (const length of [1, 0, -1, Number.NaN]) {
      expect(() => slicedOutput(new PassThrough(), length)).toThrow(RangeError);
    }
  });
});

test('a stream that breaks breaks its slices', async () => {
  const broken = new Writable({ write: (_chunk, _encoding, done) => done(new Error('gone')) });
  const transport = createStdioTransport({ input: new PassThrough(), output: slicedOutput(broken) });
  const sent = transport.send(batchOf({ type: 'user', text: 'x'.repeat(5000) })).then(() => transport.flush());
  await expect(sent).rejects.toMatchObject({ code: 'lost' });
  transport.abort();
});

verifies('S0-03', 'the bytes of a frame stay together on the pipe, whoever speaks beside it', async () => {
  const output = new PassThrough({ highWaterMark: 100 });
  const chunks: Buffer[] = [];
  output.on('data', (chunk: Buffer) => chunks.push(chunk));
  const transport = createStdioTransport({ input: new PassThrough(), output: slicedOutput(output) });
  const texts = Array.from({ length: 20 }, (_, n) => `${n} ${'😀'.repeat(3001)}${'x'.repeat(n)}`);
  await Promise.all(texts.map((text) => transport.send(batchOf({ type: 'user', text }))));
  await transport.close();
  expect(Math.max(...chunks.map((chunk) => chunk.toString().length))).toBeLessThanOrEqual(2000);
  const lines = Buffer.concat(chunks).toString().trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line).text)).toEqual(texts);
});
