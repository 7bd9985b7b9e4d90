import type { Clock } from '@proto/core/internal';

/** `bufferedAmount` has no event. */
const POLL_MS = 5;

/** What waits look at. */
export interface Awaited {
  readonly clock: Clock;
  /** What the socket holds: while it does, it is looked at from time to time. */
  readonly bufferedBytes: number;
  /** Nothing is waited for any more. */
  readonly over: boolean;
}

/** Callers who wait for something to hold. */
export class Waits {
  readonly #awaited: Awaited;
  #waiting: { readonly holds: () => boolean; readonly resolve: () => void }[] = [];
  #timer: unknown;

  constructor(awaited: Awaited) {
    this.#awaited = awaited;
  }

  /** No promise for what holds already. */
  until(holds: () => boolean): Promise<void> | void {
    if (this.#awaited.over || holds()) return;
    return new Promise((resolve) => {
      this.#waiting.push({ holds, resolve });
      this.#poll();
    });
  }

  /** Something has changed. */
  look(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const wait of waiting) {
      if (this.#awaited.over || wait.holds()) wait.resolve();
      else this.#waiting.push(wait);
    }
    this.#poll();
  }

  #poll(): void {
    const { clock, bufferedBytes } = this.#awaited;
    clock.clearTimeout(this.#timer);
    if (this.#waiting.length > 0 && bufferedBytes > 0) this.#timer = clock.setTimeout(() => this.look(), POLL_MS);
  }
}
