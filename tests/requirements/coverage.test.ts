/** Tests what the report takes as shown, and what makes it fail. */
import { expect, test } from 'vitest';

const { coverage } = await import(new URL('../../scripts/requirements/coverage.mjs', import.meta.url).href);

const list = [
  { id: 'CTL-1', isPromise: false, isPlanned: false, isOwed: true },
  { id: 'CTL-2', isPromise: false, isPlanned: false, isOwed: true },
  { id: 'CTL-3', isPromise: false, isPlanned: false, isOwed: false },
  { id: 'QUEUE-1', isPromise: true, isPlanned: false, isOwed: true },
  { id: 'QUEUE-2', isPromise: true, isPlanned: true, isOwed: false },
];
const FILE = 'packages/core/src/x.test.ts';
const outcome = (name: string, status = 'passed', programs: readonly string[] = []) => ({
  name,
  file: FILE,
  status,
  programs,
});
const cited = { faults: [], cases: ['CTL-2'] };
/** A complete list of results. Each test below removes or changes one result. */
const complete = [outcome('[CTL-1] one'), outcome('[QUEUE-1] two')];

test('no problem is reported if each MUST has a test or a case, and each promise that is not planned has a test', () => {
  const { rows, problems } = coverage(list, complete, { faults: ['QUEUE-1', 'QUEUE-1'], cases: ['CTL-2', 'CTL-2'] });
  expect(rows).toEqual([
    { id: 'CTL-1', tests: 1, endToEnd: 0, faults: 0, cases: 0, standing: 'tested' },
    { id: 'CTL-2', tests: 0, endToEnd: 0, faults: 0, cases: 2, standing: 'case' },
    { id: 'CTL-3', tests: 0, endToEnd: 0, faults: 0, cases: 0, standing: 'open' },
    { id: 'QUEUE-1', tests: 1, endToEnd: 0, faults: 2, cases: 0, standing: 'tested' },
    { id: 'QUEUE-2', tests: 0, endToEnd: 0, faults: 0, cases: 0, standing: 'planned' },
  ]);
  expect(problems).toEqual([]);
});

test('one test may decide several ids, and counts once for each', () => {
  const { rows, problems } = coverage(list, [outcome('[CTL-1][QUEUE-1][CTL-1] both')], cited);
  expect(rows.map(({ tests }: { tests: number }) => tests)).toEqual([1, 0, 0, 1, 0]);
  expect(problems).toEqual([]);
});

test('only tests that pass while a built program runs count as end to end', () => {
  const more = [outcome('[CTL-1] a', 'passed', ['agent']), outcome('[QUEUE-1] b', 'failed', ['main'])];
  const { rows } = coverage(list, [...complete, ...more], cited);
  expect(rows.map(({ tests, endToEnd }: { tests: number; endToEnd: number }) => [tests, endToEnd])).toEqual([
    [2, 1],
    [0, 0],
    [0, 0],
    [1, 0],
    [0, 0],
  ]);
});

test('a known failure outweighs the tests that pass', () => {
  const { rows, problems } = coverage(list, [...complete, outcome('[QUEUE-1][known failure] x')], cited);
  expect(rows[3].standing).toBe('known failure');
  expect(problems).toEqual([]);
});

test.each([
  ['a promise without a test', [outcome('[CTL-1] one')], { rule: 'open', id: 'QUEUE-1', tests: [] }],
  ['a MUST without a test and a case', [outcome('[QUEUE-1] two')], { rule: 'open', id: 'CTL-1', tests: [] }],
  [
    'a promise whose tests are skipped',
    [complete[0], outcome('[QUEUE-1] two', 'skipped')],
    { rule: 'not-passing', id: 'QUEUE-1', tests: [`${FILE}: [QUEUE-1] two (skipped)`] },
  ],
  [
    'a requirement with a case whose only test fails',
    [...complete, outcome('[CTL-2] x', 'failed')],
    { rule: 'not-passing', id: 'CTL-2', tests: [`${FILE}: [CTL-2] x (failed)`] },
  ],
  [
    'a planned promise that a test cites',
    [...complete, outcome('[QUEUE-2] x')],
    { rule: 'planned-and-cited', id: 'QUEUE-2', tests: [`${FILE}: [QUEUE-2] x (passed)`] },
  ],
  [
    'an id that is in no list',
    [...complete, outcome('[QUEUE-9] x')],
    { rule: 'unknown-citation', id: 'QUEUE-9', tests: [`${FILE}: [QUEUE-9] x (passed)`] },
  ],
])('%s is a problem', (_, outcomes, problem) => {
  expect(coverage(list, outcomes, cited).problems).toEqual([problem]);
});

test('no results at all are a problem', () => {
  expect(coverage(list, [], cited).problems).toContainEqual({ rule: 'no-results', tests: [] });
});

test('a case does not show a promise', () => {
  const { problems } = coverage(list, [outcome('[CTL-1] one')], { faults: [], cases: ['CTL-2', 'QUEUE-1'] });
  expect(problems).toMatchObject([{ rule: 'open', id: 'QUEUE-1' }]);
});
