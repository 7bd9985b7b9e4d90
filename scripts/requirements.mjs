// Prints how many passing tests, planted faults and conformance cases each requirement of the specification and each promise of the library has:
// node scripts/requirements.mjs [--partial] [--json]. Run the tests and build first. --partial prints only totals and problems. It is for runs of
// only some of the tests, so an id without a test is not a problem. --json prints the report as data. Exit code: 0 for success, 1 if a promise or a
// requirement has no evidence, 2 for a missing build.
import { existsSync } from 'node:fs';

import { faults } from './faults/all-faults.mjs';
import { coverage } from './requirements/coverage.mjs';
import { readList } from './requirements/list.mjs';
import { reportText } from './requirements/report-text.mjs';
import { findResults, readResults } from './requirements/results.mjs';
import { casesOfSuite } from './spec/coverage.mjs';
import { ROOT } from './workspace.mjs';

/** @param {readonly string[]} args @returns {Promise<number>} the exit code */
async function run(args) {
  if (!existsSync(new URL('../conformance/dist/rules.js', import.meta.url))) {
    console.error('The rules of the conformance suite are read from the built package. Build first: npm run build');
    return 2;
  }
  const outcomes = findResults(ROOT).flatMap((file) => readResults(ROOT, file));
  const cases = (await casesOfSuite()).map(({ id }) => id);
  const broken = faults.flatMap(({ breaks = [] }) => breaks);
  const found = coverage(readList(), outcomes, { faults: broken, cases });
  const isPartial = args.includes('--partial');
  const problems = isPartial ? found.problems.filter(({ rule }) => rule !== 'open') : found.problems;
  const result = { rows: found.rows, problems };
  console.log(args.includes('--json') ? JSON.stringify(result, null, 2) : reportText(result, isPartial));
  return problems.length === 0 ? 0 : 1;
}

process.exitCode = await run(process.argv.slice(2));
