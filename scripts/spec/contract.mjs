// Checks that the conformance suite agrees with the specification: the specification contains each name that a case uses, and each requirement that
// the code of the suite cites exists.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { definedNames } from './defined-names.mjs';
import { isUndefinedByDesign, usedNames } from './used-names.mjs';

/** @typedef {import('./used-names.mjs').Case} Case */
/** @typedef {import('./defined-names.mjs').Defined} Defined */
/** @typedef {import('./form.mjs').Requirement} Requirement */

const SUITE = new URL('../../conformance/', import.meta.url);

/** What to call a name of each kind in a sentence. @type {Readonly<Record<import('./used-names.mjs').Kind, string>>} */
const NOUNS = {
  flag: 'flag',
  variable: 'environment variable',
  header: 'header',
  path: 'path',
  parameter: 'query parameter',
  value: 'name',
  member: 'member',
  call: 'method of an adapter',
};

/**
 * The problems of the built suite: one sentence each.
 * @param {string} folder The folder of the specification.
 * @param {readonly Requirement[]} requirements
 */
export function contractProblems(folder, requirements) {
  const { cases } = JSON.parse(readFileSync(new URL('cases.json', SUITE), 'utf8'));
  return [
    ...undefinedNames(cases, definedNames(folder)),
    ...repeatedIds(cases),
    ...unknownCitations(sourcesOfSuite(), requirements),
  ];
}

/** @param {readonly Case[]} cases @param {Defined} defined @returns {string[]} */
export function undefinedNames(cases, defined) {
  return cases.flatMap((entry) =>
    usedNames(entry)
      .filter(({ kind, name }) => !defined[kind].has(name) && !isUndefinedByDesign(name))
      .map(
        ({ kind, name }) =>
          `${entry.id} uses the ${NOUNS[kind]} "${name}", which the specification does not define. A name that must be undefined begins with x_ or contains no_such or unknown.`,
      ),
  );
}

/**
 * The suite acts as the other side of the program under test, and must keep the same rules: a request has an id that no earlier request to the same
 * process had (CTL-42).
 * @param {readonly Case[]} cases
 * @returns {string[]}
 */
export function repeatedIds(cases) {
  return cases.flatMap(({ id, steps }) => {
    const known = new Set();
    return steps.flatMap((step) => {
      if (step['start-again'] !== undefined) known.clear();
      const { type, request_id: sent } = /** @type {{ type?: unknown, request_id?: unknown }} */ (step['say'] ?? {});
      if (type !== 'control_request' || typeof sent !== 'string') return [];
      const isRepeated = known.has(sent);
      known.add(sent);
      return isRepeated ? [`${id} sends two requests with the id "${sent}".`] : [];
    });
  });
}

/** @param {ReadonlyMap<string, string>} sources The text of each file. @param {readonly Requirement[]} requirements @returns {string[]} */
export function unknownCitations(sources, requirements) {
  const known = new Set(requirements.map(({ id }) => id));
  return [...sources].flatMap(([file, text]) =>
    Array.from(text.matchAll(/'([A-Z]{3}-\d+)'/g), ([, id = '']) => id)
      .filter((id) => !known.has(id))
      .map((id) => `${file} cites ${id}, which is not in the specification.`),
  );
}

/** The code of the suite without its tests: the rules of each side cite requirements. */
function sourcesOfSuite() {
  const folder = new URL('src/', SUITE);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const sources = files.filter((file) => file.endsWith('.ts') && !file.includes('.test'));
  return new Map(sources.map((file) => [join('conformance/src', file), readFileSync(new URL(file, folder), 'utf8')]));
}
