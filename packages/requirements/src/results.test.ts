import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { findResults, readResults } from './results.ts';

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'requirements-'));
});

afterEach(() => {
  rmSync(root, { recursive: true });
});

function leave(folder: string, content: string): string {
  const file = join(root, folder, '.vitest', 'results.json');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  return file;
}

test('finds the results of packages, examples and tests, and of nothing else', () => {
  const expected = ['packages/core', 'packages/testkit', 'examples/echo', 'tests'].map((folder) => leave(folder, '{}'));
  leave('bench', '{}');
  leave('packages/core/nested', '{}');
  mkdirSync(join(root, 'packages', 'untested'));
  expect([...findResults(root)].sort()).toEqual(expected.sort());
});

test('finds nothing in an empty workspace', () => {
  expect(findResults(root)).toEqual([]);
});

test("reads a test's own name, without the suites around it, and its file from the root", () => {
  const name = join(root, 'packages', 'core', 'src', 'x.test.ts');
  const assertionResults = [
    { ancestorTitles: ['suite'], fullName: 'suite [S0-04] one', title: '[S0-04] one', status: 'passed' },
    {
      ancestorTitles: [],
      fullName: '[S0-05] two',
      title: '[S0-05] two',
      status: 'skipped',
      meta: { programs: ['agent'] },
    },
  ];
  const file = leave('packages/core', JSON.stringify({ testResults: [{ name, status: 'passed', assertionResults }] }));
  expect(readResults(root, file)).toEqual([
    { name: '[S0-04] one', file: 'packages/core/src/x.test.ts', status: 'passed', programs: [] },
    { name: '[S0-05] two', file: 'packages/core/src/x.test.ts', status: 'skipped', programs: ['agent'] },
  ]);
});

test.each(['', '{"testResults":[', 'null', '{}', '{"testResults":1}'])('refuses %j', (content) => {
  const file = leave('packages/core', content);
  expect(() => readResults(root, file)).toThrow('packages/core/.vitest/results.json is no vitest result');
});
