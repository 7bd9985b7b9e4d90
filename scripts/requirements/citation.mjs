// The form in which a test names the requirements that it tests.

/** Follows the ids in the name of a test that is expected to fail. Vitest reports such a test as passed, so only its name can show it. */
const KNOWN_FAILURE = '[known failure]';

/**
 * The name of a test that checks the requirements or promises with these ids: `[CTL-7][QUEUE-3] sentence`.
 * @param {readonly string[]} ids
 * @param {string} sentence
 */
export function citingName(ids, sentence, isKnownFailure = false) {
  return `${ids.map((id) => `[${id}]`).join('')}${isKnownFailure ? KNOWN_FAILURE : ''} ${sentence}`;
}

/**
 * Reads the ids at the start of the name of a test. Accepts more than the ids in use: `[CTL-007]` must be found and refused, not overlooked.
 * @param {string} name
 * @returns {{ ids: readonly string[], isKnownFailure: boolean }}
 */
export function parseCitation(name) {
  const [cited = ''] = /^\s*(?:\[[A-Z]+-[\w.-]+\])*/.exec(name) ?? [];
  const ids = Array.from(cited.matchAll(/\[([^\]]+)\]/g), ([, id = '']) => id);
  return { ids, isKnownFailure: ids.length > 0 && name.slice(cited.length).trimStart().startsWith(KNOWN_FAILURE) };
}
