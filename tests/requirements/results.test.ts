/** Tests which results of vitest the report reads. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

const { findResults, readResults } = await import(
  new URL('../../scripts/requirements/results.mjs', import.meta.url).href
);

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'requirements-'));
});

afterEach(() => {
  rmSync(root, { recursive: true });
});

function leave(name: string, content: string): string {
  const file = join(root, '.vitest', name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  return file;
}

test('finds the results of the fast tests and of the long ones, and no others', () => {
  expect(findResults(root)).toEqual([]);
  const fast = leave('results.json', '{}');
  expect(findResults(root)).toEqual([fast]);
  const long = leave('system.json', '{}');
  leave('elsewhere.json', '{}');
  expect(findResults(root)).toEqual([fast, long]);
});

test("reads a test's own name, without the suites around it, and its file from the root", () => {
  const name = join(root, 'packages', 'core', 'src', 'x.test.ts');
  const assertionResults = [
    { ancestorTitles: ['suite'], fullName: 'suite [CTL-4] one', title: '[CTL-4] one', status: 'passed' },
    {
      ancestorTitles: [],
      fullName: '[CTL-5] two',
      title: '[CTL-5] two',
      status: 'skipped',
      meta: { programs: ['agent'] },
    },
  ];
  const file = leave('results.json', JSON.stringify({ testResults: [{ name, status: 'passed', assertionResults }] }));
  expect(readResults(root, file)).toEqual([
    { name: '[CTL-4] one', file: 'packages/core/src/x.test.ts', status: 'passed', programs: [] },
    { name: '[CTL-5] two', file: 'packages/core/src/x.test.ts', status: 'skipped', programs: ['agent'] },
  ]);
});

test.each(['', '{"testResults":[', 'null', '{}', '{"testResults":1}'])('refuses %j', (content) => {
  const file = leave('results.json', content);
  expect(() => readResults(root, file)).toThrow('.vitest/results.json is not a result of vitest');
});
