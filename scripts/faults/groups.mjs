import { readList } from '../requirements/list.mjs';
import { prefixOf } from '../spec/promises.mjs';

/**
 * The ids that tests may cite, by the section of the specification or the subject of the promises. Planned promises are left out.
 * @param {string} root
 * @returns {ReadonlyMap<string, readonly string[]>}
 */
export function groups(root) {
  /** @type {Map<string, string[]>} */
  const found = new Map();
  for (const { id, isPlanned } of readList(root)) {
    if (!isPlanned) found.set(prefixOf(id), [...(found.get(prefixOf(id)) ?? []), id]);
  }
  return found;
}
