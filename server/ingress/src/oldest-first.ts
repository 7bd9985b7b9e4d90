/**
 * The oldest entry of a map whose entries are removed from the oldest on. It goes on where it found the last one: a loop over the map would pass all
 * places of removed entries again, of which a large map keeps as many as it has entries.
 */
export class OldestFirst<Key, Value> {
  readonly #map: ReadonlyMap<Key, Value>;
  #places: Iterator<readonly [Key, Value]>;
  #found: Key | undefined;

  constructor(map: ReadonlyMap<Key, Value>) {
    this.#map = map;
    this.#places = map.entries();
  }

  /** The key of the oldest entry; undefined for an empty map. An entry that was removed and added again counts as old as it was when it was found. */
  get key(): Key | undefined {
    if (this.#found !== undefined && this.#map.has(this.#found)) return this.#found;
    if (this.#map.size === 0) return (this.#found = undefined);
    let next = this.#places.next();
    // An iterator that has reached the end returns nothing later, not even entries that were added since.
    if (next.done === true) next = (this.#places = this.#map.entries()).next();
    this.#found = next.done === true ? undefined : next.value[0];
    return this.#found;
  }
}
