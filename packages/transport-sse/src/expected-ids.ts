// An id that has not come back after so many others will not come.
const MAX_EXPECTED = 10_000;

/** The ids that this side has sent and expects to come back, each once. The older half is forgotten above 10 000 ids. */
export class ExpectedIds {
  #ids = new Set<string>();

  add(id: string): void {
    this.#ids.add(id);
    // Half of them at once: a set that loses its oldest member again and again walks over the earlier gaps each time.
    if (this.#ids.size > MAX_EXPECTED) this.#ids = new Set([...this.#ids].slice(MAX_EXPECTED / 2));
  }

  /** Whether the id was expected. It is not expected a second time. */
  take(id: string): boolean {
    return this.#ids.delete(id);
  }

  get isEmpty(): boolean {
    return this.#ids.size === 0;
  }
}
