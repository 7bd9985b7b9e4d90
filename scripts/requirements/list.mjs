// Every id that a test may cite: the requirements of the specification, then the promises of the library.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { UNTESTED } from '../spec/coverage.mjs';
import { SECTIONS } from '../spec/form.mjs';
import { PROMISES, readPromises } from '../spec/promises.mjs';
import { readPage } from '../spec/read-page.mjs';
import { readRequirements } from '../spec/requirements.mjs';
import { ROOT } from '../workspace.mjs';

/**
 * `isOwed`: whether the report fails if nothing tests the id. This is so for a promise that is not planned, and for a requirement with MUST that is
 * not in spec/untested.json.
 * @typedef {{ id: string, isPromise: boolean, isPlanned: boolean, isOwed: boolean }} Listed
 */

/**
 * Reads both documents, in the order of their sections and of the numbers in a section. Does not check their form.
 * @param {string} root The folder of the workspace.
 * @returns {readonly Listed[]}
 */
export function readList(root = ROOT) {
  /** @type {readonly { id: string }[]} */
  const excused = JSON.parse(readFileSync(join(root, 'spec', UNTESTED), 'utf8'));
  const required = SECTIONS.flatMap(([file]) => {
    const page = readPage(file, readFileSync(join(root, 'spec', file), 'utf8'));
    const requirements = readRequirements(page).requirements.toSorted((a, b) => numberOf(a.id) - numberOf(b.id));
    return requirements.map(({ id, level }) => {
      const isOwed = level.startsWith('MUST') && !excused.some((each) => each.id === id);
      return { id, isPromise: false, isPlanned: false, isOwed };
    });
  });
  const { promises } = readPromises(readFileSync(join(root, PROMISES), 'utf8'));
  return [
    ...required,
    ...promises.map(({ id, isPlanned }) => ({ id, isPromise: true, isPlanned, isOwed: !isPlanned })),
  ];
}

/** @param {string} id */
function numberOf(id) {
  return Number(id.slice(id.lastIndexOf('-') + 1));
}
