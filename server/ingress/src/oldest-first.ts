/**
 * Finds the oldest entry of a map whose entries are removed in order of age. Each search continues where the previous one ended. A new loop over the
 * map would pass the slots of all removed entries again, and a large map keeps as many such slots as it has entries.
 */
export class OldestFirst<Key, Value> {
  readonly #map: ReadonlyMap<Key, Value>;
  #places: Iterator<readonly [Key, Value]>;
  #found: Key | undefined;

  constructor(map: ReadonlyMap<Key, Value>) {
    this.#map = map;
    this.#places = map.entries();
  }

  /**
   * The key of the oldest entry; undefined for an empty map. If an entry is removed and added again after it was found, its earlier age still counts.
   */
  get key(): Key | undefined {
    if (this.#found !== undefined && this.#map.has(this.#found)) return this.#found;
    if (this.#map.size === 0) return (this.#found = undefined);
    let next = this.#places.next();
    // An iterator that has reached its end returns nothing more, not even entries that were added later.
    if (next.done === true) next = (this.#places = this.#map.entries()).next();
    this.#found = next.done === true ? undefined : next.value[0];
    return this.#found;
  }
}
