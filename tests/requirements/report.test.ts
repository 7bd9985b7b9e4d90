/** Tests what `pnpm requirements` prints. */
import { expect, test } from 'vitest';

const scripts = new URL('../../scripts/', import.meta.url);
const { reportText } = await import(new URL('requirements/report-text.mjs', scripts).href);

const rows = [
  { id: 'CTL-1', tests: 12, endToEnd: 3, faults: 1, cases: 4, standing: 'tested' },
  { id: 'QUEUE-1', tests: 1, endToEnd: 0, faults: 0, cases: 0, standing: 'known failure' },
  { id: 'QUEUE-2', tests: 0, endToEnd: 0, faults: 0, cases: 0, standing: 'planned' },
];
const TOTALS =
  '3 requirements and promises: 2 with a passing test, ' +
  '1 end to end (while a built program of ours, started by the test, ran as a process), ' +
  '1 with a conformance case, 1 planned, 0 open';

test('the report is one table, its totals and the known failures, and ends in ok', () => {
  expect(reportText({ rows, problems: [] }).split('\n')).toEqual([
    'id                 tests  end to end  faults  cases',
    'CTL-1                 12           3       1      4',
    'QUEUE-1                1           0       0      0',
    'QUEUE-2 (planned)      0           0       0      0',
    '',
    TOTALS,
    'known failures:',
    '  QUEUE-1',
    'ok',
  ]);
});

test('problems stand under their rule, with the ids and each test once', () => {
  const problems = [
    { rule: 'open', id: 'CTL-3', tests: [] },
    { rule: 'not-passing', id: 'CTL-1', tests: ['a.test.ts: [CTL-1] x (skipped)', 'a.test.ts: [CTL-1] x (skipped)'] },
    { rule: 'open', id: 'QUEUE-4', tests: [] },
  ];
  expect(
    reportText({ rows: rows.slice(0, 1), problems }, true)
      .split('\n')
      .slice(1),
  ).toEqual([
    'a promise that no test cites, or a MUST that neither a test nor a conformance case cites:',
    '  CTL-3',
    '  QUEUE-4',
    'cited only by tests that fail or are skipped:',
    '  CTL-1',
    '    a.test.ts: [CTL-1] x (skipped)',
    '3 problems',
  ]);
});

test('without results, the report says so', () => {
  expect(reportText({ rows: [], problems: [{ rule: 'no-results', tests: [] }] })).toMatch(
    /no test results found; run the tests first\n1 problem$/,
  );
});

test('the faults and the cases that the report counts are about ids of the two lists', async () => {
  const { readList } = await import(new URL('requirements/list.mjs', scripts).href);
  const { faults } = await import(new URL('faults/all-faults.mjs', scripts).href);
  const { casesOfSuite } = await import(new URL('spec/coverage.mjs', scripts).href);
  const ids = readList().map(({ id }: { id: string }) => id);
  const broken = faults.flatMap(({ breaks = [] }: { breaks?: readonly string[] }) => breaks);
  const tested = (await casesOfSuite()).map(({ id }: { id: string }) => id);
  expect(broken).toContain('PERMIT-1');
  expect(tested).toContain('FRM-1');
  expect([...broken, ...tested].filter((id) => !ids.includes(id))).toEqual([]);
});
