import type { Coverage, DocumentCoverage, Problem, ProblemRule } from './coverage.ts';

const MEANING: Record<ProblemRule, string> = {
  'no-results': 'no test results found; run the tests first',
  uncovered: 'neither planned nor cited by a test',
  'not-passing': 'cited only by tests that fail or are skipped',
  'planned-and-cited': 'planned, yet cited by a test: take it off the plan',
  'unknown-citation': 'cited by a test, but no row',
  'unknown-plan': 'planned, but no row',
};

/** The report for people: a line of counts per document, the known failures, then the problems by rule with the tests concerned. */
export function reportText({ documents, problems }: Coverage): string {
  const width = Math.max(0, ...documents.map((document) => label(document).length));
  const knownFailures = documents.flatMap((document) => document.knownFailures);
  return [
    ...documents.map((document) => `${label(document).padEnd(width)}  ${counts(document)}`),
    '',
    ...(knownFailures.length === 0 ? [] : [`known failures: ${knownFailures.join(' ')}`]),
    ...Object.keys(MEANING).flatMap((rule) => ruleLines(problems.filter((problem) => problem.rule === rule))),
    problems.length === 0 ? 'ok' : `${problems.length} problem${problems.length === 1 ? '' : 's'}`,
  ].join('\n');
}

function label({ id, title }: DocumentCoverage): string {
  return `${id.padEnd(2)}  ${title}`;
}

function counts({ covered, knownFailures, planned, uncovered }: DocumentCoverage): string {
  const column = (list: readonly string[], name: string) => `${String(list.length).padStart(3)} ${name}`;
  return [
    column(covered, 'covered'),
    column(planned, 'planned'),
    column(uncovered, 'uncovered'),
    column(knownFailures, 'known failures'),
  ].join('  ');
}

function ruleLines(problems: readonly Problem[]): readonly string[] {
  const [first] = problems;
  if (first === undefined) return [];
  const ids = problems.flatMap(({ id }) => id ?? []).join(' ');
  return [
    ids === '' ? MEANING[first.rule] : `${MEANING[first.rule]}: ${ids}`,
    // Once each: a test of many cases has one name for all of them.
    ...new Set(problems.flatMap(({ tests }) => tests.map((test) => `    ${test}`))),
  ];
}
