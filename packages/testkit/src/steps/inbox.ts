import { setTimer } from '@proto/core/network';

/** One message that a party of a case has received. */
export interface Received {
  /** The message: parsed JSON. */
  readonly value: unknown;
  /** The text of the line or event, as it arrived. */
  readonly text: string;
  /** Milliseconds since the start of the case. */
  readonly at: number;
}

/** Nothing that matches will arrive: the deadline passed, or the party can receive nothing more. */
export class NotReceived extends Error {
  override readonly name = 'NotReceived';
}

/**
 * What one party of a case has received, in order, with a place up to which the steps have read. Steps wait for what has not arrived yet.
 * Everything is kept, because rules look at a session as a whole.
 */
export class Inbox {
  readonly received: Received[] = [];
  /** The place after the message that the last step has read. */
  cursor = 0;
  /** When each message was sent, by `performance.now()`. */
  readonly #times: number[] = [];
  #ended: string | undefined;
  readonly #changed = new Set<() => void>();

  /** Adds a message that has arrived. `lateMs` is how long it was under way, if that is known; 0 by default. */
  add(message: Received, lateMs = 0): void {
    this.received.push(message);
    this.#times.push(performance.now() - lateMs);
    this.#wake();
  }

  /** Nothing more will arrive; `reason` is the end of a sentence, such as `the agent has exited with 1`. The first reason stays. */
  end(reason: string): void {
    this.#ended ??= reason;
    this.#wake();
  }

  /** When a message was sent, by `performance.now()`: when it arrived, less what is known to have held it up. */
  timeOf(message: Received): number {
    return this.#times[this.received.indexOf(message)] ?? performance.now();
  }

  /** Why nothing more will arrive. `undefined` while something may. */
  get ended(): string | undefined {
    return this.#ended;
  }

  /**
   * Resolves with the place of the first message from `from` on that passes.
   *
   * @throws {@link NotReceived} after `milliseconds`, or as soon as nothing more can arrive.
   */
  async find(
    passes: (message: Received) => boolean,
    from: number,
    milliseconds: number,
    signal?: AbortSignal,
  ): Promise<number> {
    const deadline = performance.now() + milliseconds;
    for (let at = from; ; at += 1) {
      while (at >= this.received.length) await this.#change(deadline, milliseconds, signal);
      const message = this.received[at];
      if (message !== undefined && passes(message)) return at;
    }
  }

  #wake(): void {
    for (const changed of this.#changed) changed();
  }

  /** Waits for the next message. Rejects if there will be no next one, or none in time. */
  #change(deadline: number, milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
    if (this.#ended !== undefined) return Promise.reject(new NotReceived(this.#ended));
    signal?.throwIfAborted();
    return new Promise((resolve, reject) => {
      const settle = (settled: () => void) => {
        timer.clear();
        this.#changed.delete(changed);
        signal?.removeEventListener('abort', aborted);
        settled();
      };
      const changed = () => settle(resolve);
      const aborted = () => settle(() => reject(signal?.reason));
      const late = () => settle(() => reject(new NotReceived(`nothing such has arrived in ${milliseconds} ms`)));
      const timer = setTimer(late, deadline - performance.now());
      this.#changed.add(changed);
      signal?.addEventListener('abort', aborted, { once: true });
    });
  }
}
