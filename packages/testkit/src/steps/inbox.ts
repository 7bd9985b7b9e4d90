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

/** Thrown if no matching message will arrive, because the deadline has passed or the party can no longer receive messages. */
export class NotReceived extends Error {
  /** Always `NotReceived`. */
  override readonly name = 'NotReceived';
}

/**
 * The messages that one party of a case has received, in order, and the position up to which steps have read them. Steps can wait for messages that
 * have not arrived yet. All messages are kept, because rules check whole sessions.
 */
export class Inbox {
  /** All messages so far, in the order of arrival. */
  readonly received: Received[] = [];
  /** The position after the message that the last step has read. */
  cursor = 0;
  /** When each message was sent, by `performance.now()`. */
  readonly #times: number[] = [];
  #ended: string | undefined;
  readonly #changed = new Set<() => void>();

  /** Adds a message that has arrived. `lateMs` is the known delay of the message in milliseconds. */
  add(message: Received, lateMs = 0): void {
    this.received.push(message);
    this.#times.push(performance.now() - lateMs);
    this.#wake();
  }

  /** Ends the inbox: no more messages will arrive. `reason` is part of a sentence, such as `the agent has exited with 1`. Only the first reason is kept. */
  end(reason: string): void {
    this.#ended ??= reason;
    this.#wake();
  }

  /** Returns the time at which a message was sent, by `performance.now()`: the time of its arrival minus its known delay. */
  timeOf(message: Received): number {
    return this.#times[this.received.indexOf(message)] ?? performance.now();
  }

  /** The reason why no more messages will arrive. `undefined` while messages may still arrive. */
  get ended(): string | undefined {
    return this.#ended;
  }

  /**
   * Fulfils with the index of the first message, starting at the index `from`, that passes the test.
   *
   * @throws {@link NotReceived} after `milliseconds`, or as soon as no more messages can arrive.
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

  /** Rejects if no message arrives in time, or if the inbox has ended. */
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
      const late = () => settle(() => reject(new NotReceived(`the time limit of ${milliseconds} ms passed`)));
      const timer = setTimer(late, deadline - performance.now());
      this.#changed.add(changed);
      signal?.addEventListener('abort', aborted, { once: true });
    });
  }
}
