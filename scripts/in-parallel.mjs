/**
 * Calls `work` for each item, and works on `atOnce` items at a time. Returns the results in the order of the items. Rejects with the first error.
 * @template Item, Result
 * @param {readonly Item[]} items
 * @param {number} atOnce
 * @param {(item: Item) => Promise<Result>} work
 * @returns {Promise<readonly Result[]>}
 */
export async function inParallel(items, atOnce, work) {
  /** @type {Result[]} */
  const results = [];
  const entries = items.entries();
  const worker = async () => {
    for (const [at, item] of entries) results[at] = await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
}
