/** How far the messages of an agent have been read. Its requests are served at once, and may have to wait until earlier messages are read. */
export class ReadingProgress {
  readonly #arrived: () => number;
  #read = 0;
  #waiting: (() => void)[] = [];
  #hasEnded = false;

  /** `arrived` returns how many messages have arrived so far. */
  constructor(arrived: () => number) {
    this.#arrived = arrived;
  }

  advance(): void {
    this.#read += 1;
    for (const wake of this.#waiting.splice(0)) wake();
  }

  /** No further message will be read. */
  end(): void {
    this.#hasEnded = true;
    for (const wake of this.#waiting.splice(0)) wake();
  }

  /** Waits until all messages that have arrived before the call are read, or `isEnough` returns true. */
  async untilReadAll(isEnough: () => boolean): Promise<void> {
    const arrived = this.#arrived();
    while (this.#read < arrived && !this.#hasEnded && !isEnough())
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }
}
