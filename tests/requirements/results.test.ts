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

function leave(folder: string, content: string): string {
  const file = join(root, folder, '.vitest', 'results.json');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  return file;
}

test('finds the results of each package of the workspace, and those of the long tests', () => {
  const folders = ['packages/core', 'server/ingress', 'examples/echo', 'tests'];
  writeFileSync(
    join(root, 'pnpm-workspace.yaml'),
    'packages:\n  - packages/*\n  - server/*\n  - examples/*\n  - tests\n',
  );
  expect(findResults(root)).toEqual([]);
  const expected = folders.map((folder) => leave(folder, '{}'));
  for (const folder of folders) writeFileSync(join(root, folder, 'package.json'), '{}');
  leave('elsewhere', '{}');
  mkdirSync(join(root, 'packages', 'untested'));
  const long = ['.vitest/system.json', 'tests/.vitest/system.json'].map((path) => join(root, path));
  mkdirSync(join(root, '.vitest'));
  for (const file of long) writeFileSync(file, '{}');
  expect(new Set(findResults(root))).toEqual(new Set([...expected, ...long]));
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
  const file = leave('packages/core', JSON.stringify({ testResults: [{ name, status: 'passed', assertionResults }] }));
  expect(readResults(root, file)).toEqual([
    { name: '[CTL-4] one', file: 'packages/core/src/x.test.ts', status: 'passed', programs: [] },
    { name: '[CTL-5] two', file: 'packages/core/src/x.test.ts', status: 'skipped', programs: ['agent'] },
  ]);
});

test.each(['', '{"testResults":[', 'null', '{}', '{"testResults":1}'])('refuses %j', (content) => {
  const file = leave('packages/core', content);
  expect(() => readResults(root, file)).toThrow('packages/core/.vitest/results.json is not a result of vitest');
});
