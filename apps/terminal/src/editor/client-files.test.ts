import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verifies } from '@proto/test-support/verifies';
import { afterAll, expect, test } from 'vitest';
import { createClientFiles } from './client-files.ts';

const whole = mkdtempSync(join(tmpdir(), 'client-files-'));
afterAll(() => rmSync(whole, { recursive: true }));
const folder = join(whole, 'work');
mkdirSync(folder);
writeFileSync(join(whole, 'secret'), 'outside');
writeFileSync(join(folder, 'a.txt'), 'one\ntwo\nthree\n');
symlinkSync(whole, join(folder, 'out'));
symlinkSync(join(whole, 'new'), join(folder, 'dangling'));
const files = createClientFiles(folder);

test('files are read, whole and in parts, and written with their folders', async () => {
  expect(await files.read(join(folder, 'a.txt'), {})).toBe('one\ntwo\nthree\n');
  expect(await files.read('a.txt', { line: 2, limit: 1 })).toBe('two');
  expect(await files.read('a.txt', { line: 3 })).toBe('three\n');
  await files.write(join(folder, 'b/c/d.txt'), 'new');
  expect(readFileSync(join(folder, 'b/c/d.txt'), 'utf8')).toBe('new');
  await expect(files.read('none.txt', {})).rejects.toThrow('ENOENT');
});

verifies(
  'EDITOR-14',
  'files outside of the folder are refused, also through links and names that begin like it',
  async () => {
    writeFileSync(join(whole, 'work-2'), 'another folder');
    for (const path of [
      join(whole, 'secret'),
      '../secret',
      'out/secret',
      '../work-2',
      '/etc/hostname',
      'b/../../secret',
    ]) {
      await expect(files.read(path, {})).rejects.toThrow('is outside of the folder');
      await expect(files.write(path, 'x')).rejects.toThrow('is outside of the folder');
    }
    await expect(files.write('out/added', 'x')).rejects.toThrow('is outside of the folder');
    await expect(files.write('dangling', 'x')).rejects.toThrow('is outside of the folder');
    await files.write('..name', 'x');
    expect(() => readFileSync(join(whole, 'new'))).toThrow();
    expect(readFileSync(join(whole, 'secret'), 'utf8')).toBe('outside');
  },
);
