import { parseCitation } from './citation.mjs';

/** @typedef {import('./list.mjs').Listed} Listed */
/** @typedef {import('./results.mjs').TestOutcome} TestOutcome */
/** @typedef {'tested' | 'known failure' | 'case' | 'planned' | 'open'} Standing */
/** @typedef {'no-results' | 'open' | 'not-passing' | 'planned-and-cited' | 'unknown-citation'} Rule */

/**
 * A reason for the report to fail: the id, absent for `no-results`, and the tests that cite it.
 * @typedef {{ rule: Rule, id?: string, tests: readonly string[] }} Problem
 */

/**
 * The state of one id. `tests` is the number of tests that passed, `endToEnd` the number of passed tests during which a built program ran as a
 * process.
 * @typedef {{ id: string, tests: number, endToEnd: number, faults: number, cases: number, standing: Standing }} Row
 */

/**
 * Compares what the tests proved with what is required and promised. A skipped test proves nothing. A case of the conformance suite counts for a
 * requirement of the specification, and not for a promise. A requirement with SHOULD or MAY may be open.
 * @param {readonly Listed[]} list
 * @param {readonly TestOutcome[]} outcomes
 * @param {{ faults: readonly string[], cases: readonly string[] }} cited The ids that planted faults break, and the ids that conformance cases test.
 * An id occurs once for each fault or case.
 * @returns {{ rows: readonly Row[], problems: readonly Problem[] }}
 */
export function coverage(list, outcomes, cited) {
  const tests = testsById(outcomes);
  const [faults, cases] = [countsOf(cited.faults), countsOf(cited.cases)];
  /** @type {Problem[]} */
  const problems = [];
  const report = (/** @type {Rule} */ rule, /** @type {string} */ id) =>
    problems.push({ rule, id, tests: (tests.get(id) ?? []).map(place) });
  if (outcomes.length === 0) problems.push({ rule: 'no-results', tests: [] });
  const rows = list.map((listed) => {
    const { id, isPromise } = listed;
    const citing = tests.get(id) ?? [];
    const passed = citing.filter(({ status }) => status === 'passed');
    const counts = {
      tests: passed.length,
      endToEnd: passed.filter(({ programs }) => programs.length > 0).length,
      faults: faults.get(id) ?? 0,
      cases: isPromise ? 0 : (cases.get(id) ?? 0),
    };
    const standing = standingOf(listed, passed, counts.cases);
    if (listed.isPlanned && citing.length > 0) report('planned-and-cited', id);
    else if (citing.length > 0 && passed.length === 0) report('not-passing', id);
    else if (standing === 'open' && listed.isOwed) report('open', id);
    return { id, ...counts, standing };
  });
  const known = new Set(list.map(({ id }) => id));
  for (const id of tests.keys()) if (!known.has(id)) report('unknown-citation', id);
  return { rows, problems };
}

/**
 * A known failure counts more than passing tests. If passing tests hid it, the list of known failures would never get shorter.
 * @param {Listed} listed
 * @param {readonly TestOutcome[]} passed
 * @param {number} cases
 * @returns {Standing}
 */
function standingOf({ isPlanned }, passed, cases) {
  if (isPlanned) return 'planned';
  if (passed.some(({ name }) => parseCitation(name).isKnownFailure)) return 'known failure';
  if (passed.length > 0) return 'tested';
  return cases > 0 ? 'case' : 'open';
}

/** @param {readonly TestOutcome[]} outcomes */
function testsById(outcomes) {
  /** @type {Map<string, TestOutcome[]>} */
  const found = new Map();
  for (const outcome of outcomes) {
    for (const id of new Set(parseCitation(outcome.name).ids)) found.set(id, [...(found.get(id) ?? []), outcome]);
  }
  return found;
}

/** @param {readonly string[]} ids */
function countsOf(ids) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}

/** @param {TestOutcome} test */
function place({ file, name, status }) {
  return `${file}: ${name} (${status})`;
}
