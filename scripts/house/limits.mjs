// Limits on the size of files, functions and entries. exceptions.json lists the sizes that are above a limit today, without names, so that code may move
// and be renamed. The list may only shrink.
import { readFileSync } from 'node:fs';

import { writeJson } from '../write-json.mjs';

/** @typedef {Record<string, readonly { size: number, name: string }[]>} Measured By the name of a limit. */

/** @type {Readonly<Record<string, number>>} */
const LIMITS = {
  'files in a group that imports itself': 1,
  'lines of a file': 300,
  'lines of a function': 60,
  'names of an entry': 35,
  'entries of a package that export a name': 1,
};

const file = new URL('exceptions.json', import.meta.url);

/**
 * Prints the sizes that are above their limit and have no exception, and the exceptions that are larger than necessary. Returns true if there are
 * none.
 * @param {Measured} measured
 * @param {boolean} shrink Whether to lower the exceptions to the actual sizes. No exception is raised.
 */
export function checkLimits(measured, shrink) {
  /** @type {Record<string, readonly number[]>} */
  const allowed = JSON.parse(readFileSync(file, 'utf8'));
  /** @type {Record<string, readonly number[]>} */
  const needed = {};
  let ok = true;
  for (const [what, limit] of Object.entries(LIMITS)) {
    const above = (measured[what] ?? []).filter(({ size }) => size > limit).toSorted((a, b) => b.size - a.size);
    const list = allowed[what] ?? [];
    const tooLarge = above.filter(({ size }, at) => size > (list[at] ?? limit));
    for (const { size, name } of tooLarge) console.log(`${what}: ${size}, the limit is ${limit}: ${name}`);
    if (tooLarge.length > 0) ok = false;
    needed[what] = above.map(({ size }) => size);
    const isLower = above.length < list.length || above.some(({ size }, at) => size < (list[at] ?? 0));
    if (tooLarge.length > 0 || !isLower) {
      needed[what] = list;
      continue;
    }
    if (shrink) continue;
    ok = false;
    console.log(`${what}: smaller than the exceptions say. Lower them: node scripts/house.mjs --shrink`);
  }
  if (shrink) writeJson(file, needed);
  return ok;
}
