/** @typedef {import('./coverage.mjs').Row} Row */
/** @typedef {import('./coverage.mjs').Problem} Problem */

/** @type {Record<import('./coverage.mjs').Rule, string>} */
const MEANING = {
  'no-results': 'no test results found; run the tests first',
  open: 'a promise that no test cites, or a MUST that neither a test nor a conformance case cites',
  'not-passing': 'cited only by tests that fail or are skipped',
  'planned-and-cited': 'planned, but cited by a test: remove the mark in docs/promises.md',
  'unknown-citation': 'cited by a test, but neither a requirement of spec/ nor a promise of docs/promises.md',
};
const HEAD = ['id', 'tests', 'end to end', 'faults', 'cases'];

/**
 * The report for people: a line for each id, its totals, the known failures, then the problems by rule with the tests concerned.
 * @param {{ rows: readonly Row[], problems: readonly Problem[] }} coverage
 * @param {boolean} isBrief Whether the lines of the ids are left out.
 */
export function reportText({ rows, problems }, isBrief = false) {
  const failures = rows.filter(({ standing }) => standing === 'known failure');
  return [
    ...(isBrief ? [] : table(rows)),
    totals(rows),
    ...(failures.length === 0 ? [] : ['known failures:', ...failures.map(({ id }) => `  ${id}`)]),
    ...Object.keys(MEANING).flatMap((rule) => ruleLines(problems.filter((problem) => problem.rule === rule))),
    problems.length === 0 ? 'ok' : `${problems.length} problem${problems.length === 1 ? '' : 's'}`,
  ].join('\n');
}

/** @param {readonly Row[]} rows */
function table(rows) {
  const cells = rows.map(({ id, tests, endToEnd, faults, cases, standing }) => [
    standing === 'planned' ? `${id} (planned)` : id,
    ...[tests, endToEnd, faults, cases].map(String),
  ]);
  const widths = HEAD.map((name, at) => Math.max(name.length, ...cells.map((row) => row[at]?.length ?? 0)));
  const line = (/** @type {readonly string[]} */ row) =>
    row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join('  ');
  return [line(HEAD), ...cells.map(line), ''];
}

/** @param {readonly Row[]} rows */
function totals(rows) {
  const count = (/** @type {(row: Row) => boolean} */ is) => rows.filter(is).length;
  return [
    `${rows.length} requirements and promises: ${count(({ tests }) => tests > 0)} with a passing test`,
    `${count(({ endToEnd }) => endToEnd > 0)} end to end (while a built program of ours, started by the test, ran as a process)`,
    `${count(({ cases }) => cases > 0)} with a conformance case`,
    `${count(({ standing }) => standing === 'planned')} planned`,
    `${count(({ standing }) => standing === 'open')} open`,
  ].join(', ');
}

/** @param {readonly Problem[]} problems All of one rule. */
function ruleLines(problems) {
  const [first] = problems;
  if (first === undefined) return [];
  const meaning = MEANING[first.rule];
  if (first.id === undefined) return [meaning];
  return [
    `${meaning}:`,
    ...problems.flatMap(({ id = '', tests }) => [
      `  ${id}`,
      // Each name is listed once, because a test with many cases has one name for all of them.
      ...[...new Set(tests)].map((test) => `    ${test}`),
    ]),
  ];
}
