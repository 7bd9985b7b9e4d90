/** Tests of `sjp diff`, run as a process. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MAIN, run } from '../bins.test-support.ts';

const result = (text: string, uuid: string) =>
  `${JSON.stringify({ type: 'result', subtype: 'success', is_error: false, result: text, uuid })}\n`;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'diff-'));
  await writeFile(join(folder, 'a.ndjson'), result('one', 'a'));
  await writeFile(join(folder, 'b.ndjson'), result('two', 'b'));
  await writeFile(join(folder, 'c.ndjson'), result('one', 'c'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const diff = (...args: string[]) =>
  run(MAIN, ['diff', ...args.map((arg) => (arg.endsWith('son') ? join(folder, arg) : arg))]);

test('ends with 0 for equal files, and with 6 for files that differ', async () => {
  expect(await diff('a.ndjson', 'c.ndjson')).toMatchObject({ code: 0, stdout: 'no differences, 1 frame\n' });
  const { code, stdout } = await diff('a.ndjson', 'b.ndjson');
  expect(code).toBe(6);
  expect(stdout).toContain('expected  "one"\n      found     "two"\n');
});

test('takes several places that may differ', async () => {
  expect(await diff('a.ndjson', 'b.ndjson', '--ignore', 'subtype', '--ignore', 'result')).toMatchObject({ code: 0 });
});

test('needs two files', async () => {
  expect(await diff('a.ndjson')).toMatchObject({ code: 2 });
  expect(await diff('a.ndjson', 'gone.json')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('no such file'),
  });
});
