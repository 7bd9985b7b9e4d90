import type { Clock } from '../async/deadline.ts';

/** In milliseconds. Sockets emit no event when `bufferedAmount` changes, so conditions are checked repeatedly while a socket holds unsent bytes. */
const POLL_MS = 5;

export interface Awaited {
  readonly clock: Clock;
  /** While a socket holds unsent bytes, the conditions are checked every 5 ms. */
  readonly bufferedBytes: number;
  /** Whether the connection is over, which ends every wait. */
  readonly isReleased: boolean;
}

/** Callers that wait until a condition of a connection holds, such as room for the next batch. */
export interface ConditionWaits {
  /**
   * Fulfils when the condition holds, or when the connection is released. Returns `undefined` if the condition already holds or the connection is
   * already released.
   */
  until(holds: () => boolean): Promise<void> | void;
  /** Checks every condition. Call this after each change, such as an acknowledgement, a new link or the release. */
  check(): void;
}

/**
 * Creates the waits of one connection. `write` and `flush` of a driver return the result of `until`, which creates the back pressure of a transport.
 */
export function createConditionWaits(connection: Awaited): ConditionWaits {
  return new Waits(connection);
}

class Waits implements ConditionWaits {
  readonly #awaited: Awaited;
  #waiting: { readonly holds: () => boolean; readonly resolve: () => void }[] = [];
  #timer: unknown;

  constructor(awaited: Awaited) {
    this.#awaited = awaited;
  }

  until(holds: () => boolean): Promise<void> | void {
    if (this.#awaited.isReleased || holds()) return;
    return new Promise((resolve) => {
      this.#waiting.push({ holds, resolve });
      this.#poll();
    });
  }

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
