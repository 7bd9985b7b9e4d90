// An id that the server has not sent back after this many other ids is no longer expected.
const MAX_EXPECTED = 10_000;

/**
 * The ids of messages that this side has sent. The server is expected to send each of these messages back once. Above 10 000 ids, the older half is
 * removed.
 */
export class ExpectedIds {
  #ids = new Set<string>();

  add(id: string): void {
    this.#ids.add(id);
    // Half of them are removed at once, because a set whose oldest member is removed repeatedly must skip the earlier gaps each time.
    if (this.#ids.size > MAX_EXPECTED) this.#ids = new Set([...this.#ids].slice(MAX_EXPECTED / 2));
  }

  take(id: string): boolean {
    return this.#ids.delete(id);
  }

  get isEmpty(): boolean {
    return this.#ids.size === 0;
  }
}
