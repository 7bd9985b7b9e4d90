import { expect, test } from 'vitest';

import { reportText } from './report-text.ts';
import { section } from './rows/section.ts';

const rows = [
  {
    id: 'S0',
    title: 'pipeline',
    rows: section('S0', {
      'S0-01 stdout/one-write': 'one',
      'S0-02 stderr/whole': 'two',
      'S0-03 outbound/in-order': 'three',
      'S0-04 outbound/iterated-once': 'four',
      'S0-05 outbound/buffers': 'five',
      'S0-06 outbound/ends': 'six',
    }),
  },
];
const document = {
  id: 'S0',
  title: 'pipeline',
  covered: ['S0-01'],
  knownFailures: [],
  planned: ['S0-02'],
  uncovered: [],
  endToEnd: [],
};

test('a report without problems ends in ok', () => {
  expect(reportText({ documents: [document], problems: [] }, rows)).toBe(
    'S0  pipeline    1 covered (  0 end to end)    1 planned    0 uncovered    0 known failures\n\nok',
  );
});

test('a report with rows shown end to end says what that means', () => {
  const text = reportText({ documents: [{ ...document, endToEnd: ['S0-01'] }], problems: [] }, rows);
  expect(text).toContain('1 covered (  1 end to end)');
  expect(text).toMatch(/\nend to end: a test that cites the row passed while a program .* ran as a process\nok$/);
});

test('problems stand under their rule, with the rows and the tests concerned', () => {
  const text = reportText(
    {
      documents: [{ ...document, knownFailures: ['S0-05'] }],
      problems: [
        { rule: 'uncovered', id: 'S0-03', tests: [] },
        {
          rule: 'not-passing',
          id: 'S0-06',
          tests: ['a.test.ts: [S0-06] x (skipped)', 'a.test.ts: [S0-06] x (skipped)'],
        },
        { rule: 'uncovered', id: 'S0-04', tests: [] },
        { rule: 'unknown-plan', id: 'S0-99', tests: [] },
      ],
    },
    rows,
  );
  expect(text.split('\n').slice(2)).toEqual([
    'known failures:',
    '  S0-05 outbound/buffers',
    'neither planned nor cited by a test:',
    '  S0-03 outbound/in-order',
    '  S0-04 outbound/iterated-once',
    'cited only by tests that fail or are skipped:',
    '  S0-06 outbound/ends',
    '    a.test.ts: [S0-06] x (skipped)',
    'planned, but no row:',
    '  S0-99',
    '4 problems',
  ]);
});

test('a report with lists has a line for each row', () => {
  const standing = {
    ...document,
    covered: ['S0-01', 'S0-06'],
    knownFailures: ['S0-05'],
    uncovered: ['S0-03', 'S0-04'],
    endToEnd: ['S0-06'],
  };
  const text = reportText({ documents: [standing], problems: [] }, rows, true);
  expect(text.split('\n').slice(1, 7)).toEqual([
    '  covered        S0-01 stdout/one-write',
    '  planned        S0-02 stderr/whole',
    '  uncovered      S0-03 outbound/in-order',
    '  uncovered      S0-04 outbound/iterated-once',
    '  known failure  S0-05 outbound/buffers',
    '  end to end     S0-06 outbound/ends',
  ]);
});

test('a report without results says so', () => {
  const text = reportText({ documents: [], problems: [{ rule: 'no-results', tests: [] }] }, rows);
  expect(text).toBe('\nno test results found; run the tests first\n1 problem');
});
