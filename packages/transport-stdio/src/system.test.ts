import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isAllowed, thisSystem } from './system.ts';

test.each([
  ['undefined, as in Node', undefined],
  ['null, as in Bun', null],
])('an access that returns %s is allowed', (_, returned) => {
  expect(isAllowed(() => returned)).toBe(true);
});

test('an access that throws is not allowed', () => {
  expect(
    isAllowed(() => {
      throw new Error('EACCES');
    }),
  ).toBe(false);
});

test.skipIf(process.platform === 'win32')('a file is executable if its mode says so', () => {
  const folder = mkdtempSync(join(tmpdir(), 'system-'));
  const file = join(folder, 'agent');
  writeFileSync(file, '');
  const { isExecutable } = thisSystem();
  chmodSync(file, 0o644);
  expect([isExecutable(file), isExecutable(folder), isExecutable(join(folder, 'missing'))]).toEqual([
    false,
    false,
    false,
  ]);
  chmodSync(file, 0o755);
  expect(isExecutable(file)).toBe(true);
});
