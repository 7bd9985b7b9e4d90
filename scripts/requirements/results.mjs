import { existsSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

/**
 * One test as it was run: its name, its file, its outcome as vitest names it, and the built programs that ran as processes meanwhile (see
 * tests/support/src/built-programs.ts).
 * @typedef {{ name: string, file: string, status: string, programs: readonly string[] }} TestOutcome
 */

/**
 * The part of the JSON reporter of vitest that is read here. `meta` contains what `verifies` has recorded about a test.
 * @typedef {{ title: string, status: string, meta?: { programs?: string[] } }} VitestTest
 * @typedef {{ testResults?: { name: string, assertionResults: VitestTest[] }[] }} VitestResults
 */

/** The result files that vitest has written in a workspace for `npm test` and for the long tests. @param {string} root */
export function findResults(root) {
  return ['results.json', 'system.json'].map((name) => join(root, '.vitest', name)).filter((file) => existsSync(file));
}

/**
 * The tests of one results file. Throws for a file of any other form: a run that was cut off must not be mistaken for a run without tests.
 * @param {string} root
 * @param {string} file
 * @returns {readonly TestOutcome[]}
 */
export function readResults(root, file) {
  /** @type {VitestResults | null} */
  let results;
  try {
    results = JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw unreadable(root, file, cause);
  }
  const tests = results?.testResults;
  if (tests === undefined || !Array.isArray(tests)) throw unreadable(root, file);
  return tests.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ title, status, meta }) => ({
      name: title,
      file: inRoot(root, name),
      status,
      programs: meta?.programs ?? [],
    })),
  );
}

/** @param {string} root @param {string} file @param {unknown} [cause] */
function unreadable(root, file, cause) {
  return new Error(`requirements: ${inRoot(root, file)} is not a result of vitest`, { cause });
}

/** @param {string} root @param {string} file */
function inRoot(root, file) {
  return relative(root, file).split(sep).join('/');
}
