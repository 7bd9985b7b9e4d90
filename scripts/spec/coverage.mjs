// Checks that each MUST of the specification is tested by a case or a rule of the conformance suite, or is listed in spec/untested.json with the
// reason why it cannot be tested. A MUST that binds only viewers and workers is tested by our own tests.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from '../workspace.mjs';

/** @typedef {import('./form.mjs').Requirement} Requirement */
/** @typedef {{ readonly id: string, readonly reason: string }} Untested */
/** @typedef {Readonly<Record<string, ReadonlySet<string>>>} Cited The requirements that cases and rules of a side cite, by side. */

/** The list of requirements that nothing tests, in the folder of the specification. */
export const UNTESTED = 'untested.json';

/** The roles that the suite can test. The suite does not test viewers and workers. */
const TESTED_ROLES = ['agent', 'host', 'server'];

/** What each case and each rule of the built suite tests, once for each requirement. @returns {Promise<readonly { side: string, id: string }[]>} */
export async function casesOfSuite() {
  const suite = new URL('../../conformance/', import.meta.url);
  /** @type {{ cases: { side: string, spec: string | string[] }[] }} */
  const { cases } = JSON.parse(readFileSync(new URL('cases.json', suite), 'utf8'));
  const { sessionRules } = await import(new URL('dist/rules.js', suite).href);
  return [...cases, ...sessionRules].flatMap(({ side, spec }) => [spec].flat().map((id) => ({ side, id })));
}

/** What the built suite cites. @returns {Promise<Cited>} */
export async function citedBySuite() {
  const all = await casesOfSuite();
  return Object.fromEntries(
    TESTED_ROLES.map((role) => [role, new Set(all.flatMap(({ side, id }) => (side === role ? [id] : [])))]),
  );
}

/** The ids that the texts of the tests cite: whether these tests pass is known only after they have run. @returns {ReadonlySet<string>} */
export function citedByTests() {
  const files = execFileSync('git', ['ls-files', '-z', '--', '*.test.ts'], { cwd: ROOT, encoding: 'utf8' }).split('\0');
  const texts = files.filter(Boolean).map((file) => readFileSync(join(ROOT, file), 'utf8'));
  return new Set(texts.flatMap((text) => Array.from(text.matchAll(/'([A-Z]{3}-\d+)'/g), ([, id = '']) => id)));
}

/** The requirements that bind no side that the suite can test, and that no test cites. @param {readonly Requirement[]} requirements @param {ReadonlySet<string>} cited */
export function untestedClients(requirements, cited) {
  return requirements
    .filter(({ id, level, roles }) => level.startsWith('MUST') && !roles.some(isTested) && !cited.has(id))
    .map(({ id, roles }) => `${id}: no test cites it, and the suite does not test ${roles.join(' and ')}.`);
}

/**
 * The requirements that nothing tests and no entry excuses, and the entries that excuse nothing: one sentence each.
 * @param {readonly Requirement[]} requirements
 * @param {Cited} cited
 * @param {readonly Untested[]} untested
 * @returns {string[]}
 */
export function coverageProblems(requirements, cited, untested) {
  const excused = new Map(untested.map(({ id, reason }) => [id, reason]));
  const open = requirements.filter((requirement) => isTestable(requirement) && !isCited(requirement, cited));
  const missing = open.filter(({ id }) => !excused.has(id));
  const stale = untested.filter(({ id }) => !open.some((requirement) => requirement.id === id));
  const short = untested.filter(({ reason }) => reason.length < 20);
  return [
    ...missing.map(({ id, roles }) => `${id}: not cited by the cases of each of ${roles.join(', ')}.`),
    ...stale.map(({ id }) => `${UNTESTED}: ${id} is tested, or does not have to be. Remove the entry.`),
    ...short.map(({ id }) => `${UNTESTED}: ${id} needs a reason.`),
  ];
}

/** @param {Requirement} requirement */
function isTestable({ level, roles }) {
  return level.startsWith('MUST') && roles.some(isTested);
}

/** @param {string} role */
function isTested(role) {
  return TESTED_ROLES.includes(role);
}

/** A requirement of several roles has to be tested on each side. @param {Requirement} requirement @param {Cited} cited */
function isCited({ id, roles }, cited) {
  return roles.every((role) => !isTested(role) || cited[role]?.has(id) === true);
}
