import type { SendOptions } from '@proto/core/internal';
import { type Batch, type Transport, TransportError } from '@proto/core/transport';
import { Around } from './around.test-support.ts';

/** Point 2. */
export class SendsBackwards extends Around {
  #waiting: (() => void)[] = [];

  override send(batch: Batch, options?: SendOptions): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push(() => void this.inner.send(batch, options).then(resolve, reject));
      queueMicrotask(() => this.#pass());
    });
  }

  override flush(options?: SendOptions): Promise<void> {
    this.#pass();
    return this.inner.flush(options);
  }

  override end(): Promise<void> {
    this.#pass();
    return this.inner.end();
  }

  override close(): Promise<void> {
    this.#pass();
    return this.inner.close();
  }

  #pass(): void {
    for (const send of this.#waiting.splice(0).reverse()) send();
  }
}

/** Point 2. */
export class ThrowsFromSend extends Around {
  #ended = false;

  override send(batch: Batch, options?: SendOptions): Promise<void> {
    if (this.#ended) throw new TransportError('closed', 'too late');
    return this.inner.send(batch, options);
  }

  override end(): Promise<void> {
    this.#ended = true;
    return this.inner.end();
  }
}

/** Point 2. */
export class DoesNotWaitForTheLink extends Around {
  #open = false;

  constructor(inner: Transport) {
    super(inner);
    inner.opened.then(
      () => (this.#open = true),
      () => {},
    );
  }

  override send(batch: Batch, options?: SendOptions): Promise<void> {
    if (this.#open || options?.signal !== undefined) return this.inner.send(batch, options);
    return Promise.reject(new TransportError('closed', 'not open yet'));
  }
}

/** Point 3. */
export class TakesEverything extends Around {
  #taking = false;

  constructor(inner: Transport) {
    super(inner);
    inner.opened.then(
      () => (this.#taking = true),
      () => {},
    );
    void inner.closed.then(() => (this.#taking = false));
  }

  override send(batch: Batch, options?: SendOptions): Promise<void> {
    const sent = this.inner.send(batch, options);
    if (!this.#taking || options?.signal !== undefined) return sent;
    sent.catch(() => {});
    return Promise.resolve();
  }

  override end(): Promise<void> {
    this.#taking = false;
    return this.inner.end();
  }
}

/** Point 5. */
export class RejectsWithItsOwnError extends Around {
  override async send(batch: Batch, options?: SendOptions): Promise<void> {
    try {
      await this.inner.send(batch, options);
    } catch (error) {
      throw options?.signal?.aborted ? new TransportError('aborted', 'aborted', { cause: error }) : error;
    }
  }
}

/** Point 5. */
export class SendsWhatWasWithdrawn extends Around {
  override send(batch: Batch, { signal }: SendOptions = {}): Promise<void> {
    if (signal === undefined || signal.aborted) return this.inner.send(batch, signal && { signal });
    return new Promise((resolve, reject) => {
      const onAbort = () => reject(signal.reason);
      signal.addEventListener('abort', onAbort);
      const settle = () => signal.removeEventListener('abort', onAbort);
      this.inner.send(batch).finally(settle).then(resolve, reject);
    });
  }
}

/** Point 5. */
export class LeavesItsListener extends Around {
  override send(batch: Batch, options?: SendOptions): Promise<void> {
    options?.signal?.addEventListener('abort', () => {});
    return this.inner.send(batch, options);
  }
}
