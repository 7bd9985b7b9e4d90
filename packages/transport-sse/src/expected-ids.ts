// An id that was not repeated after so many others is no longer expected.
const MAX_EXPECTED = 10_000;

/** The ids that this side has sent, and expects to receive once from the server. Above 10 000 ids the older half is removed. */
export class ExpectedIds {
  #ids = new Set<string>();

  add(id: string): void {
    this.#ids.add(id);
    // Half of them at once: a set that loses its oldest member again and again walks over the earlier gaps each time.
    if (this.#ids.size > MAX_EXPECTED) this.#ids = new Set([...this.#ids].slice(MAX_EXPECTED / 2));
  }

  /** Returns whether the id was expected, and removes the id. */
  take(id: string): boolean {
    return this.#ids.delete(id);
  }

  get isEmpty(): boolean {
    return this.#ids.size === 0;
  }
}
