import type { SendOptions } from '@proto/core/internal';
import { type Batch, type Transport, type TransportClose, TransportError } from '@proto/core/transport';
import { turn } from '../within.ts';
import { Around, faultyIteration, mapped } from './around.test-support.ts';

const never: Promise<never> = new Promise(() => {});

function codeOf(error: unknown): string | undefined {
  return TransportError.is(error) ? error.code : undefined;
}

function unlessAborted(error: unknown): Promise<never> {
  return codeOf(error) === 'aborted' ? never : Promise.reject(error);
}

/** Point 8. */
export class LeavesSendsPending extends Around {
  override send(batch: Batch, options?: SendOptions): Promise<void> {
    return this.inner.send(batch, options).catch(unlessAborted);
  }
}

/** Point 8. */
export class LeavesTheIterationPending extends Around {
  override get incoming() {
    return faultyIteration(this.inner.incoming, { next: (inner) => inner.next().catch(unlessAborted) });
  }
}

/** Point 8. */
export class ClosesOnce extends Around {
  #closed = false;

  override close(): Promise<void> {
    if (this.#closed) return Promise.reject(new Error('already closed'));
    this.#closed = true;
    return this.inner.close();
  }
}

/** Point 8. */
export class LeavesSendsPendingWhenTheLinkBreaks extends Around {
  override send(batch: Batch, options?: SendOptions): Promise<void> {
    return this.inner.send(batch, options).catch((error) => (codeOf(error) === 'lost' ? never : Promise.reject(error)));
  }
}

/** Point 8. */
export class WaitsForALinkToClose extends Around {
  #down = true;

  constructor(inner: Transport) {
    super(inner);
    inner.opened.then(
      () => (this.#down = false),
      () => {},
    );
  }

  override get incoming() {
    return mapped(this.inner.incoming, (items) => {
      for (const item of items) if (item.kind === 'link') this.#down = item.state === 'down';
      return items;
    });
  }

  override async close(): Promise<void> {
    if (!this.#down) await this.inner.close();
    await this.inner.closed;
  }
}

/** Point 8. */
export class CannotCloseAfterEnd extends Around {
  #ended = false;

  override end(): Promise<void> {
    this.#ended = true;
    return this.inner.end();
  }

  override async close(): Promise<void> {
    if (!this.#ended) await this.inner.close();
    await this.inner.closed;
  }
}

/** Point 8. */
export class CannotAbortAfterEnd extends Around {
  #ended = false;

  override end(): Promise<void> {
    this.#ended = true;
    return this.inner.end();
  }

  override abort(reason?: unknown): void {
    if (!this.#ended) this.inner.abort(reason);
  }
}

/** Point 8. */
export class DisposesOfNothing extends Around {
  override async [Symbol.asyncDispose](): Promise<void> {}
}

/** Point 8. */
export class DropsWhatItWasHandedOver extends Around {
  #waiting: { pass(): Promise<void>; drop(): void }[] = [];
  #passing = false;

  constructor(inner: Transport) {
    super(inner);
    void inner.closed.then(() => this.#drop());
  }

  override send(batch: Batch, options?: SendOptions): Promise<void> {
    if (options?.signal !== undefined) return this.inner.send(batch, options);
    return new Promise((resolve, reject) => {
      this.#waiting.push({
        pass: () => this.inner.send(batch).then(resolve, reject),
        drop: () => reject(new TransportError('closed', 'dropped')),
      });
      void this.#pass();
    });
  }

  override close(): Promise<void> {
    this.#drop();
    return this.inner.close();
  }

  override async end(): Promise<void> {
    while (this.#waiting.length > 0) await this.#waiting.shift()?.pass();
    await this.inner.end();
  }

  async #pass(): Promise<void> {
    if (this.#passing) return;
    this.#passing = true;
    while (this.#waiting.length > 0) await this.#waiting.shift()?.pass();
    this.#passing = false;
  }

  #drop(): void {
    for (const { drop } of this.#waiting.splice(0)) drop();
  }
}

/** Not broken: the medium waits for a reader only for a limited time. */
export class GivesUp extends Around {
  override async close(): Promise<void> {
    const timer = setTimeout(() => this.inner.abort(), 500);
    await this.inner.close();
    clearTimeout(timer);
  }
}

/** Point 9. */
export class IsClosedTooEarly extends Around {
  #settle: (close: TransportClose) => void = () => {};
  readonly #early = new Promise<TransportClose>((resolve) => (this.#settle = resolve));

  override get closed(): Promise<TransportClose> {
    return Promise.race([this.inner.closed, this.#early]);
  }

  override close(): Promise<void> {
    // This has an effect only if something still has to be written. Otherwise the transport ends first.
    setTimeout(() => this.#settle({ by: 'local' }), 5).unref();
    return this.inner.close();
  }
}

/** Point 9. */
export class SettlesItsSendsLate extends Around {
  override async send(batch: Batch, options?: SendOptions): Promise<void> {
    try {
      await this.inner.send(batch, options);
    } finally {
      for (let turns = 0; turns < 3; turns++) await turn();
    }
  }
}
