import { describe, expect, test } from 'vitest';

import { coverage, type TestOutcome } from './coverage.ts';
import type { RowDocument } from './row.ts';
import { section } from './rows/section.ts';

const documents: readonly RowDocument[] = [
  { id: 'S0', title: 'pipeline', rows: section('S0', { 'S0-01 a/one': 'one', 'S0-02 a/two': 'two' }) },
  { id: 'R', title: 'pains', rows: section('R', { 'R-1.1 b/three': 'three' }) },
];

function outcome(name: string, status = 'passed', programs: readonly string[] = []): TestOutcome {
  return { name, file: 'packages/core/src/x.test.ts', status, programs };
}

/** All rows covered; each test below breaks one thing. */
const complete = [outcome('[S0-01] one'), outcome('[S0-02] two'), outcome('[R-1.1] three')];

describe('coverage', () => {
  test('has no problem when every row is covered by a passing test', () => {
    expect(coverage(documents, [], complete)).toEqual({
      documents: [
        {
          id: 'S0',
          title: 'pipeline',
          covered: ['S0-01', 'S0-02'],
          knownFailures: [],
          planned: [],
          uncovered: [],
          endToEnd: [],
        },
        { id: 'R', title: 'pains', covered: ['R-1.1'], knownFailures: [], planned: [], uncovered: [], endToEnd: [] },
      ],
      problems: [],
    });
  });

  test('has no problem when a row without a test is planned', () => {
    const { documents: result, problems } = coverage(
      documents,
      ['S0-02'],
      [complete[0], complete[2]].flatMap((x) => x ?? []),
    );
    expect(problems).toEqual([]);
    expect(result[0]).toMatchObject({ covered: ['S0-01'], planned: ['S0-02'], uncovered: [] });
  });

  test('counts one test for every row it cites', () => {
    expect(coverage(documents, [], [outcome('[S0-01][S0-02][R-1.1] all')]).problems).toEqual([]);
  });

  test('fails a row that is neither planned nor cited', () => {
    const { documents: result, problems } = coverage(documents, [], complete.slice(1));
    expect(problems).toEqual([{ rule: 'uncovered', id: 'S0-01', tests: [] }]);
    expect(result[0]).toMatchObject({ covered: ['S0-02'], uncovered: ['S0-01'] });
  });

  test('does not take an id in the middle of a name for a citation', () => {
    const { problems } = coverage(documents, [], [outcome('as [S0-01] says'), ...complete.slice(1)]);
    expect(problems).toEqual([{ rule: 'uncovered', id: 'S0-01', tests: [] }]);
  });

  test.each(['failed', 'skipped', 'pending', 'todo', 'disabled'])('fails a row cited only by a %s test', (status) => {
    const { documents: result, problems } = coverage(
      documents,
      [],
      [outcome('[S0-01] one', status), ...complete.slice(1)],
    );
    expect(problems).toEqual([
      { rule: 'not-passing', id: 'S0-01', tests: [`packages/core/src/x.test.ts: [S0-01] one (${status})`] },
    ]);
    expect(result[0]?.uncovered).toEqual(['S0-01']);
  });

  test('is content with one passing test beside a skipped one', () => {
    expect(coverage(documents, [], [outcome('[S0-01] later', 'skipped'), ...complete]).problems).toEqual([]);
  });

  test.each(['passed', 'failed', 'skipped'])('fails a planned row cited by a %s test', (status) => {
    const { documents: result, problems } = coverage(
      documents,
      ['S0-01'],
      [outcome('[S0-01] one', status), ...complete.slice(1)],
    );
    expect(problems).toEqual([
      { rule: 'planned-and-cited', id: 'S0-01', tests: [`packages/core/src/x.test.ts: [S0-01] one (${status})`] },
    ]);
    expect(result[0]).toMatchObject({ covered: ['S0-02'], planned: ['S0-01'] });
  });

  test('fails a planned row cited as a known failure', () => {
    const { problems } = coverage(documents, ['S0-01'], [outcome('[S0-01][known failure] one'), ...complete.slice(1)]);
    expect(problems.map(({ rule, id }) => [rule, id])).toEqual([['planned-and-cited', 'S0-01']]);
  });

  test('fails a cited id that is no row', () => {
    const { problems } = coverage(documents, [], [...complete, outcome('[S0-03] four')]);
    expect(problems).toEqual([
      { rule: 'unknown-citation', id: 'S0-03', tests: ['packages/core/src/x.test.ts: [S0-03] four (passed)'] },
    ]);
  });

  test('fails a planned id that is no row', () => {
    expect(coverage(documents, ['S0-03'], complete).problems).toEqual([
      { rule: 'unknown-plan', id: 'S0-03', tests: [] },
    ]);
  });

  test('fails without any result, even when every row is planned', () => {
    const { problems } = coverage(documents, ['S0-01', 'S0-02', 'R-1.1'], []);
    expect(problems).toEqual([{ rule: 'no-results', tests: [] }]);
  });
});

describe('a row is end to end', () => {
  const [first, ...others] = complete;
  const counted = (...tests: readonly TestOutcome[]) => coverage(documents, [], tests).documents[0]?.endToEnd;

  test('when a passing test that cites it ran a built program', () => {
    expect(counted(...complete, outcome('[S0-01 a/one] as a process', 'passed', ['agent']))).toEqual(['S0-01']);
  });

  test.each(['failed', 'skipped'])('not by a %s test', (status) => {
    expect(counted(...complete, outcome('[S0-01 a/one] as a process', status, ['agent']))).toEqual([]);
  });

  test('not while it is a known failure', () => {
    expect(first).toBeDefined();
    expect(counted(outcome('[S0-01 a/one][known failure] as a process', 'passed', ['agent']), ...others)).toEqual([]);
  });
});

describe('a known failure', () => {
  const known = outcome('[S0-01][known failure] one');

  test('is listed and is no problem', () => {
    const { documents: result, problems } = coverage(documents, [], [known, ...complete.slice(1)]);
    expect(problems).toEqual([]);
    expect(result[0]).toMatchObject({ covered: ['S0-02'], knownFailures: ['S0-01'], uncovered: [] });
  });

  test('keeps its row from counting as covered by another test', () => {
    expect(coverage(documents, [], [known, ...complete]).documents[0]).toMatchObject({
      covered: ['S0-02'],
      knownFailures: ['S0-01'],
    });
  });

  test('is a problem once it passes, which vitest reports as failed', () => {
    const { problems } = coverage(documents, [], [{ ...known, status: 'failed' }, ...complete.slice(1)]);
    expect(problems.map(({ rule, id }) => [rule, id])).toEqual([['not-passing', 'S0-01']]);
  });
});
