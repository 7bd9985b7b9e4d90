/** Runs pieces of work one after the other, in the order of the calls. A piece that fails does not block the next piece. */
export class Turns {
  /** Fulfils when the last piece is done; undefined when no work is in progress. */
  #last: Promise<void> | undefined;

  /** Runs a piece of work after all earlier pieces of work, or immediately if all of them have ended. */
  async take<Result>(work: () => Result): Promise<Awaited<Result>> {
    const before = this.#last;
    let end = () => {};
    const done = new Promise<void>((resolve) => (end = resolve));
    this.#last = done;
    try {
      if (before !== undefined) await before;
      return await work();
    } finally {
      if (this.#last === done) this.#last = undefined;
      end();
    }
  }
}
