interface Place {
  readonly name: string;
  older: Place | undefined;
  newer: Place | undefined;
}

/**
 * The names of streams in the order of their creation, listed from the newest. The names form a linked list, so that the cost of a page or a removal
 * does not depend on how many streams there are or were.
 */
export class CreationOrder {
  #newest: Place | undefined;
  readonly #places = new Map<string, Place>();

  add(name: string): void {
    const place = { name, older: this.#newest, newer: undefined };
    if (this.#newest !== undefined) this.#newest.newer = place;
    this.#newest = place;
    this.#places.set(name, place);
  }

  remove(name: string): void {
    const place = this.#places.get(name);
    if (place === undefined) return;
    this.#places.delete(name);
    if (place.older !== undefined) place.older.newer = place.newer;
    if (place.newer === undefined) this.#newest = place.older;
    else place.newer.older = place.older;
  }

  /** Yields the names from the newest, or from the stream that was created before the given stream. Yields nothing for an unknown name. */
  *newestFirst(before?: string): Generator<string> {
    let place = before === undefined ? this.#newest : this.#places.get(before)?.older;
    for (; place !== undefined; place = place.older) yield place.name;
  }
}
