import type { WireMessage } from '@proto/core/framing';

type Item = WireMessage | (() => void);

/** The messages of a turn, in the order in which they must be sent, and functions that run when everything before them has been sent. */
export class TurnOutput {
  readonly #items: Item[] = [];
  #isEnded = false;
  #wake = () => {};

  push(item: Item): void {
    this.#items.push(item);
    this.#wake();
  }

  /** Fulfils when everything that was pushed before has been sent. */
  sent(): Promise<void> {
    return new Promise((resolve) => this.push(resolve));
  }

  end(): void {
    this.#isEnded = true;
    this.#wake();
  }

  async *messages(): AsyncGenerator<WireMessage, void, undefined> {
    for (;;) {
      for (let item = this.#items.shift(); item !== undefined; item = this.#items.shift()) {
        if (typeof item === 'function') item();
        else yield item;
      }
      if (this.#isEnded) return;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}
