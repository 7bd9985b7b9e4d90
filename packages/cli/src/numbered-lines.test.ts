import { expect, test } from 'vitest';
import { type NumberedLine, numberedLines } from './numbered-lines.ts';

const TEXT = 'one\n\r\n \nfour\r\nüber\n\nlast';

async function read(size: number, limit?: number): Promise<NumberedLine[]> {
  const bytes = new TextEncoder().encode(TEXT);
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size);
  }
  const lines: NumberedLine[] = [];
  for await (const line of numberedLines(pieces(), limit === undefined ? {} : { maxLineBytes: limit }))
    lines.push(line);
  return lines;
}

test.each([1, 2, 7, 100])('numbers count blank lines, in pieces of %i bytes', async (size) => {
  expect((await read(size)).map(({ number, line }) => [number, line])).toEqual([
    [1, 'one'],
    [4, 'four'],
    [5, 'über'],
    [7, 'last'],
  ]);
});

test('one that is too long has its number', async () => {
  const tooLong = (await read(3, 4)).filter(({ line }) => typeof line !== 'string');
  expect(tooLong.map(({ number }) => number)).toEqual([4, 5]);
});
