/** The names of streams in the order of their creation, with the later ones found first: a page of them costs the same however many there are. */
export class CreationOrder {
  /** Undefined for a name that was removed. */
  #names: (string | undefined)[] = [];
  readonly #places = new Map<string, number>();

  /** Adds a name as the newest. */
  add(name: string): void {
    this.#places.set(name, this.#names.push(name) - 1);
  }

  remove(name: string): void {
    const place = this.#places.get(name);
    if (place === undefined) return;
    this.#names[place] = undefined;
    this.#places.delete(name);
    // When half is empty, so that the cost of each removal stays the same.
    if (this.#names.length < 2 * this.#places.size + 100) return;
    this.#names = this.#names.filter((kept) => kept !== undefined);
    for (const [at, kept] of this.#names.entries()) this.#places.set(kept as string, at);
  }

  /** Yields the names from the newest, or from the one before a given name. An unknown name has none before it. */
  *newestFirst(before?: string): Generator<string> {
    const end = before === undefined ? this.#names.length : (this.#places.get(before) ?? 0);
    for (let at = end - 1; at >= 0; at--) {
      const name = this.#names[at];
      if (name !== undefined) yield name;
    }
  }
}
