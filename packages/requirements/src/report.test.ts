import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { citingName, label } from './citation.ts';
import { planned } from './planned.ts';
import { report } from './report.ts';
import { rows } from './rows.ts';

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'requirements-'));
});

afterEach(() => {
  rmSync(root, { recursive: true });
});

/** Writes the results of one passing test for each of `ids`, each in a package of its own. */
function prove(ids: readonly string[]): void {
  ids.forEach((id, index) => {
    const folder = join(root, 'packages', `p${index}`, '.vitest');
    mkdirSync(folder, { recursive: true });
    const assertionResults = [{ title: citingName([id], 'x'), status: 'passed' }];
    writeFileSync(
      join(folder, 'results.json'),
      JSON.stringify({ testResults: [{ name: join(root, 'x.test.ts'), assertionResults }] }),
    );
  });
}

const built = rows.map((row) => row.id).filter((id) => !planned.includes(id));
const first = label(rows[0] ?? { id: '', slug: '' });

test('ends with 0 when every row that is not planned is proved', () => {
  prove(built);
  const { output, exitCode } = report(root, []);
  expect(output).toMatch(/\nok$/);
  expect(exitCode).toBe(0);
});

test('ends with 1 when one proof is missing', () => {
  prove(built.slice(1));
  const { output, exitCode } = report(root, []);
  expect(output).toMatch(`neither planned nor cited by a test:\n  ${first}\n1 problem`);
  expect(exitCode).toBe(1);
});

test('a missing proof is no problem where only some of the tests were run', () => {
  prove(built.slice(1));
  expect(report(root, ['--partial'])).toMatchObject({ output: expect.stringMatching(/\nok$/), exitCode: 0 });
});

test('ends with 1 where no tests were run', () => {
  const { output, exitCode } = report(root, []);
  expect(output).toContain('no test results found');
  expect(exitCode).toBe(1);
});

test('--rows lists every row', () => {
  prove(built);
  const { output } = report(root, ['--rows']);
  for (const row of rows) expect(output).toContain(`  ${label(row)}\n`);
});

test('--json prints the same as data', () => {
  prove(built.slice(1));
  const { output, exitCode } = report(root, ['--json']);
  expect(JSON.parse(output)).toMatchObject({ problems: [{ rule: 'uncovered', id: built[0], tests: [] }] });
  expect(exitCode).toBe(1);
});
