import { label } from './citation.ts';
import type { Coverage, DocumentCoverage, Problem, ProblemRule } from './coverage.ts';
import type { RowDocument } from './row.ts';

const MEANING: Record<ProblemRule, string> = {
  'no-results': 'no test results found; run the tests first',
  uncovered: 'neither planned nor cited by a test',
  'not-passing': 'cited only by tests that fail or are skipped',
  'planned-and-cited': 'planned, but cited by a test: remove them from planned.ts',
  'unknown-citation': 'cited by a test, but no row',
  'unknown-plan': 'planned, but no row',
};
const END_TO_END =
  'end to end: a test that cites the row passed while a program of packages/cli/dist, started by the test, ran as a process';

/**
 * The report for people: a line of counts for each document, the known failures, then the problems by rule with the tests concerned.
 * With `lists`, a line for each row of the documents, under its document.
 */
export function reportText({ documents, problems }: Coverage, rows: readonly RowDocument[], lists = false): string {
  const width = Math.max(0, ...documents.map((document) => heading(document).length));
  const labels = new Map(rows.flatMap((document) => document.rows.map((row) => [row.id, label(row)] as const)));
  const shown = (id: string) => labels.get(id) ?? id;
  const knownFailures = documents.flatMap((document) => document.knownFailures);
  return [
    ...documents.flatMap((document) => [
      `${heading(document).padEnd(width)}  ${counts(document)}`,
      ...(lists ? rowLines(document, rows, shown) : []),
    ]),
    '',
    ...(documents.some(({ endToEnd }) => endToEnd.length > 0) ? [END_TO_END] : []),
    ...(knownFailures.length === 0 ? [] : ['known failures:', ...knownFailures.map((id) => `  ${shown(id)}`)]),
    ...Object.keys(MEANING).flatMap((rule) =>
      ruleLines(
        problems.filter((problem) => problem.rule === rule),
        shown,
      ),
    ),
    problems.length === 0 ? 'ok' : `${problems.length} problem${problems.length === 1 ? '' : 's'}`,
  ].join('\n');
}

function heading({ id, title }: DocumentCoverage): string {
  return `${id.padEnd(2)}  ${title}`;
}

function counts({ covered, endToEnd, knownFailures, planned, uncovered }: DocumentCoverage): string {
  const column = (list: readonly string[], name: string) => `${String(list.length).padStart(3)} ${name}`;
  return [
    `${column(covered, 'covered')} (${column(endToEnd, 'end to end')})`,
    column(planned, 'planned'),
    column(uncovered, 'uncovered'),
    column(knownFailures, 'known failures'),
  ].join('  ');
}

/** Each row of a document with how it stands, in the order of the document. */
function rowLines(
  { id, covered, endToEnd, knownFailures, planned }: DocumentCoverage,
  rows: readonly RowDocument[],
  shown: (id: string) => string,
): readonly string[] {
  const standing = (row: string) => {
    if (endToEnd.includes(row)) return 'end to end';
    if (covered.includes(row)) return 'covered';
    if (knownFailures.includes(row)) return 'known failure';
    return planned.includes(row) ? 'planned' : 'uncovered';
  };
  const document = rows.find((each) => each.id === id)?.rows ?? [];
  return document.map((row) => `  ${standing(row.id).padEnd(13)}  ${shown(row.id)}`);
}

function ruleLines(problems: readonly Problem[], shown: (id: string) => string): readonly string[] {
  const [first] = problems;
  if (first === undefined) return [];
  const meaning = MEANING[first.rule];
  if (first.id === undefined) return [meaning];
  return [
    `${meaning}:`,
    ...problems.flatMap(({ id = '', tests }) => [
      `  ${shown(id)}`,
      // Once each: a test with many cases has one name for all of them.
      ...[...new Set(tests)].map((test) => `    ${test}`),
    ]),
  ];
}
