interface Waiting {
  /** How many messages had arrived before. */
  readonly arrived: number;
  readonly run: () => void;
}

/**
 * Restores the order between the messages that a view reads and what a host session reports when it arrives: the ends of prompts, and changes of the
 * link. When the session reports them, the view may not have read all messages that arrived earlier.
 */
export class ReadingOrder {
  readonly #waiting: Waiting[] = [];
  #read = 0;

  /** Calls `run` when that many messages have been read. */
  after(arrived: number, run: () => void): void {
    this.#waiting.push({ arrived, run });
    this.advance(0);
  }

  /** That many more messages have been read. `Infinity` means that no more can be read. */
  advance(count: number): void {
    this.#read += count;
    for (let [next] = this.#waiting; next !== undefined && next.arrived <= this.#read; [next] = this.#waiting) {
      this.#waiting.shift();
      next.run();
    }
  }
}
