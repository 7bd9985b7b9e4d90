import type { Clock } from '@proto/core/reconnect';

/** `bufferedAmount` of a socket has no event. */
const POLL_MS = 5;

/** What conditions are about. */
export interface Awaited {
  readonly clock: Clock;
  /** What the socket holds. While it holds something, the conditions are checked every 5 ms. */
  readonly bufferedBytes: number;
  /** Whether nothing is waited for any more. */
  readonly isReleased: boolean;
}

/** Callers who wait until a condition holds. */
export class ConditionWaits {
  readonly #awaited: Awaited;
  #waiting: { readonly holds: () => boolean; readonly resolve: () => void }[] = [];
  #timer: unknown;

  constructor(awaited: Awaited) {
    this.#awaited = awaited;
  }

  /** Returns undefined if the condition holds already. */
  until(holds: () => boolean): Promise<void> | void {
    if (this.#awaited.isReleased || holds()) return;
    return new Promise((resolve) => {
      this.#waiting.push({ holds, resolve });
      this.#poll();
    });
  }

  /** Checks every condition: something has changed. */
  check(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const wait of waiting) {
      if (this.#awaited.isReleased || wait.holds()) wait.resolve();
      else this.#waiting.push(wait);
    }
    this.#poll();
  }

  #poll(): void {
    const { clock, bufferedBytes } = this.#awaited;
    clock.clearTimeout(this.#timer);
    if (this.#waiting.length > 0 && bufferedBytes > 0) this.#timer = clock.setTimeout(() => this.check(), POLL_MS);
  }
}
