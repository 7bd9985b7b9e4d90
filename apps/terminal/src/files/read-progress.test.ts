import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { ReadProgress, sizeOf } from './read-progress.ts';

/** Counts chunks that arrive at the given times, and returns what was written to the terminal. */
async function shownFor(
  chunks: readonly { readonly ms: number; readonly bytes: number }[],
  { totalBytes, isTTY = true }: { readonly totalBytes?: number; readonly isTTY?: boolean } = {},
): Promise<string[]> {
  const shown: string[] = [];
  const stderr = Object.assign(
    new Writable({ write: (text, _, done) => (shown.push(String(text).replace('\r\u001b[K', '<')), done()) }),
    { isTTY },
  );
  let now = 5000;
  const progress = new ReadProgress({ name: 'sjp validate', stderr, totalBytes, now: () => now });
  async function* source() {
    for (const { ms, bytes } of chunks) {
      now = 5000 + ms;
      yield new Uint8Array(bytes);
    }
  }
  let read = 0;
  for await (const chunk of progress.count(source())) read += chunk.length;
  expect(read).toBe(chunks.reduce((sum, { bytes }) => sum + bytes, 0));
  return shown;
}

test('after a second a terminal shows how much is read and what is left, four times a second at most', async () => {
  const chunk = (ms: number) => ({ ms, bytes: 500_000 });
  const shown = await shownFor([chunk(0), chunk(999), chunk(1000), chunk(1249), chunk(1250)], {
    totalBytes: 5_000_000,
  });
  expect(shown).toEqual([
    '<sjp validate: 1.5 of 5.0 MB read, 30 %, about 3 s left',
    '<sjp validate: 2.5 of 5.0 MB read, 50 %, about 2 s left',
    '<',
  ]);
});

test('a stream of unknown length, and a file that grows, show what is read', async () => {
  expect(await shownFor([{ ms: 2000, bytes: 1_000_000 }])).toEqual(['<sjp validate: 1.0 MB read', '<']);
  expect(await shownFor([{ ms: 2000, bytes: 1_000_000 }], { totalBytes: 10 })).toEqual([
    '<sjp validate: 1.0 MB read',
    '<',
  ]);
});

test('nothing is shown for a file that is read within a second, or if stderr is not a terminal', async () => {
  expect(await shownFor([{ ms: 900, bytes: 1000 }])).toEqual([]);
  expect(await shownFor([{ ms: 9000, bytes: 1000 }], { isTTY: false })).toEqual([]);
});

test('the size of a file is known, and that of stdin, of a folder and of a missing file is not', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'progress-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, 'a'), 'four');
  expect(await sizeOf(join(folder, 'a'))).toBe(4);
  expect(await Promise.all(['-', folder, join(folder, 'b')].map(sizeOf))).toEqual([undefined, undefined, undefined]);
});
