import fc from 'fast-check';
import { expect, test } from 'vitest';
import { StderrTail } from './stderr-tail.ts';

test('the last bytes are kept, in chunks of any size', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: 'grapheme-ascii', maxLength: 40 })),
      fc.integer({ min: 0, max: 60 }),
      (chunks, max) => {
        const tail = new StderrTail(max);
        for (const chunk of chunks) tail.push(Buffer.from(chunk));
        const text = chunks.join('');
        expect(tail.text).toBe(text.slice(Math.max(0, text.length - max)));
      },
    ),
  );
});

test('the tail begins with a whole character', () => {
  for (const [text, max, kept] of [
    ['a€b', 3, 'b'],
    ['a€b', 4, '€b'],
    ['😀😀', 7, '😀'],
    ['ééé', 3, 'é'],
  ] as const) {
    const tail = new StderrTail(max);
    tail.push(Buffer.from(text));
    expect(tail.text).toBe(kept);
  }
});

test('a chunk that the caller reuses does not change the tail', () => {
  const tail = new StderrTail(10);
  const chunk = Buffer.from('before');
  tail.push(chunk);
  chunk.fill('x');
  expect(tail.text).toBe('before');
});
