/** What became of numbered messages. */
export interface Outcome {
  readonly lost: number;
  readonly doubled: number;
  readonly outOfOrder: number;
}

/** Takes the numbers of messages as they come, from 1, and tells what is wrong with them. What is held follows what is missing. */
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

  /** What became of so many. */
  outcome(count: number): Outcome {
    const lost = this.#missing.size + Math.max(0, count - this.last);
    return { lost, doubled: this.#doubled, outOfOrder: this.#outOfOrder };
  }
}
