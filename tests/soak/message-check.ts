/** How many numbered messages arrived, were lost, doubled or reordered. */
export interface Outcome {
  readonly lost: number;
  readonly doubled: number;
  readonly outOfOrder: number;
}

/** Checks the numbers of messages as they arrive, from 1 on. Memory use grows only with the number of missing messages. */
export class MessageCheck {
  /** The highest number so far. */
  last = 0;
  readonly #missing = new Set<number>();
  #doubled = 0;
  #outOfOrder = 0;

  take(number: number): void {
    if (number > this.last) {
      for (let missing = this.last + 1; missing < number; missing++) this.#missing.add(missing);
      this.last = number;
    } else if (this.#missing.delete(number)) this.#outOfOrder++;
    else this.#doubled++;
  }

  /** Returns the counts, given the number of messages that were sent. */
  outcome(count: number): Outcome {
    const lost = this.#missing.size + Math.max(0, count - this.last);
    return { lost, doubled: this.#doubled, outOfOrder: this.#outOfOrder };
  }
}
