import {
  type Batch,
  type SendOptions,
  type Transport,
  type TransportClose,
  TransportError,
} from '@proto/core/transport';
import { Around, faultyIteration } from './around.test-support.ts';

const never: Promise<never> = new Promise(() => {});

function unlessAborted(error: unknown): Promise<never> {
  return (error as { code?: string }).code === 'aborted' ? never : Promise.reject(error);
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
export class WaitsForALinkToClose extends Around {
  override async close(): Promise<void> {
    await this.inner.opened.catch(() => {});
    await this.inner.close();
  }
}

/** Point 8. */
export class DropsWhatItWasHandedOver extends Around {
  #waiting: { pass(): void; drop(): void }[] = [];

  override send(batch: Batch, options?: SendOptions): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({
        pass: () => void this.inner.send(batch, options).then(resolve, reject),
        drop: () => reject(new TransportError('closed', 'dropped')),
      });
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
    for (const { drop } of this.#waiting.splice(0)) drop();
    return this.inner.close();
  }

  #pass(): void {
    for (const { pass } of this.#waiting.splice(0)) pass();
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
    // Where something is still to be written; otherwise the end is near anyway.
    setTimeout(() => this.#settle({ by: 'local' }), 5).unref();
    return this.inner.close();
  }
}

/** Point 12. */
export class HasASetter extends Around {
  headers: Readonly<Record<string, string>> = {};

  setHeaders(headers: Readonly<Record<string, string>>): void {
    this.headers = headers;
  }
}

/** Point 12. */
export class HasAnAccessor extends Around {
  #onMessage: unknown;

  get onMessage(): unknown {
    return this.#onMessage;
  }

  set onMessage(callback: unknown) {
    this.#onMessage = callback;
  }
}

/** Point 12. */
export class TakesAFlag extends Around {
  override send(batch: Batch, options?: SendOptions, _urgent?: boolean): Promise<void> {
    return this.inner.send(batch, options);
  }
}

/** Point 12. */
export class HasHalfAWorker extends Around {
  override get worker(): Transport['worker'] {
    return { restored: Promise.resolve(null) } as Transport['worker'];
  }
}
