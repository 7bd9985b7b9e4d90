import { TransportError, toTransportError } from './error.ts';
import { IncomingQueue, type IncomingQueueEvents } from './queues/incoming-queue.ts';
import type { DriverExtensions, Liveness, TransportExtensions, WatchableTransport } from './transport-extensions.ts';
import type {
  Batch,
  Incoming,
  SendOptions,
  Transport,
  TransportClose,
  TransportControl,
  TransportDriver,
} from './transport.ts';
import { handled, refused, SerialQueue } from './queues/serial-queue.ts';

export const DEFAULT_MAX_INCOMING_BYTES = 16 * 1024 * 1024;

/** The options of every transport that `defineTransport` creates. */
export interface TransportOptions {
  /** Whether every message is sent under an id. Default false. */
  readonly hasMessageIds?: boolean;
  /** How many bytes may wait for the consumer before the driver is paused. Default 16 MiB. */
  readonly maxIncomingBytes?: number;
}

/**
 * Creates a transport from a driver. The transport ensures order, back pressure, one consumer and one end. The function `connect` is called once,
 * immediately. It may start to connect, and reports events through its control. If the driver has one of the members `resumption`, `unacknowledged`
 * or `worker`, the transport also has this member, for as long as the driver has it.
 */
export function defineTransport<Driver extends TransportDriver & DriverExtensions>(
  name: string,
  connect: (control: TransportControl) => Driver,
  options: TransportOptions = {},
): DefinedTransport<Driver> {
  return new DriverTransport(name, connect, options) as WatchableTransport as DefinedTransport<Driver>;
}

/** A transport, with the extensions of its driver. */
export type DefinedTransport<Driver extends DriverExtensions> = WatchableTransport &
  Pick<Driver, keyof Driver & keyof DriverExtensions>;

const SETTLED = (): void => {};

/**
 * States:
 * - `connecting`: batches wait
 * - `open`: batches are written, one at a time
 * - `closing`: `close` or `abort` was called, and `send` is refused. After `close`, batches that were accepted are still written. Items that have
 * already arrived are still passed to the reader. Later items are dropped, because the reader may have left, and the end must not wait for a reader
 * - `closed`: the driver has released everything
 */
class DriverTransport implements Transport, TransportExtensions {
  static readonly #queueEvents: IncomingQueueEvents<DriverTransport> = {
    onPause: (transport) => transport.#callDriver('pause'),
    onResume: (transport) => transport.#callDriver('resume'),
    onReturn: (transport) => void transport.close(),
  };

  readonly name: string;
  readonly hasMessageIds: boolean;
  readonly opened: Promise<void>;
  readonly closed: Promise<TransportClose>;
  readonly incoming: IncomingQueue;
  readonly #driver: TransportDriver & DriverExtensions;
  readonly #writes = new SerialQueue();
  #state: 'connecting' | 'open' | 'closing' | 'closed' = 'connecting';
  #by: 'local' | 'peer' | undefined;
  // Why the driver was aborted: the caller aborted, or a method of the driver failed.
  #failure: { readonly by: 'local' | 'link'; readonly error: TransportError } | undefined;
  #sealed = false;
  #ending: Promise<void> | undefined;
  #outputEnded = false;
  #inputEnded = false;
  #lastByteAt: number | undefined;
  /** Settles `opened` once. Afterwards, `opened` is no longer referenced, which saves 250 bytes in an idle session. */
  #settleOpened: (error?: Error) => void = SETTLED;
  #settleClosed!: (close: TransportClose) => void;

  constructor(
    name: string,
    connect: (control: TransportControl) => TransportDriver & DriverExtensions,
    options: TransportOptions,
  ) {
    this.name = name;
    this.hasMessageIds = options.hasMessageIds ?? false;
    this.opened = new Promise((resolve, reject) => {
      this.#settleOpened = (error) => {
        this.#settleOpened = SETTLED;
        if (error === undefined) resolve();
        else reject(error);
      };
    });
    // A caller that uses only `closed` must not cause an unhandled rejection.
    this.opened.catch(() => {});
    this.closed = new Promise((resolve) => {
      this.#settleClosed = resolve;
    });
    const { maxIncomingBytes = DEFAULT_MAX_INCOMING_BYTES } = options;
    this.incoming = new IncomingQueue(this, DriverTransport.#queueEvents, maxIncomingBytes);
    this.#driver = connect({
      opened: () => this.#onOpened(),
      receive: (items) => this.#onReceive(items),
      ended: () => this.#onEnded(),
      closed: (error, details) => this.#onClosed(error, details),
    });
    // The factory may have reported more than the limit before there was a driver to pause.
    if (this.incoming.paused) this.#callDriver('pause');
  }

  get resumption() {
    return this.#driver.resumption;
  }

  get unacknowledged() {
    return this.#driver.unacknowledged;
  }

  get liveness(): Liveness {
    return { lastByteAt: this.#lastByteAt, isPaused: this.incoming.paused };
  }

  get worker() {
    return this.#driver.worker;
  }

  send(batch: Batch, { signal }: SendOptions = {}): Promise<void> {
    return this.#sealed ? this.#refuse() : this.#writes.add(() => this.#driver.write(batch), signal);
  }

  flush({ signal }: SendOptions = {}): Promise<void> {
    if (this.#state === 'closing' || this.#state === 'closed') return this.#refuse();
    return this.#writes.add(() => this.#driver.flush?.(), signal);
  }

  end(): Promise<void> {
    return (this.#ending ??= handled(this.#end()));
  }

  async close(): Promise<void> {
    const state = this.#state;
    if (state === 'connecting' || state === 'open') {
      this.#startClosing();
      this.incoming.end();
      this.#callDriver('closing');
    }
    if (state === 'connecting') {
      const error = new TransportError('closed', `${this.name}: closed before it opened`);
      this.#settleOpened(error);
      this.#writes.fail(error);
      void this.#closeDriver();
    } else if (state === 'open') {
      // Called after all batches. Rejects only if the transport has already ended in another way.
      void this.#writes.add(() => this.#closeDriver());
    }
    await this.closed;
  }

  abort(reason?: unknown): void {
    if (this.#state === 'closed' || this.#failure !== undefined) return;
    this.#fail('local', new TransportError('aborted', `${this.name}: aborted`, { cause: reason }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #startClosing(): void {
    this.#by ??= 'local';
    this.#sealed = true;
    this.#state = 'closing';
  }

  /** Settles all promises at once and makes the driver release its resources, without waiting for the driver. */
  #fail(by: 'local' | 'link', error: TransportError): void {
    this.#failure = { by, error };
    this.#startClosing();
    this.#settleOpened(error);
    this.#writes.fail(error);
    this.incoming.end(error);
    // A driver that fails to release its resources is treated as closed.
    void attempt(() => this.#driver.abort(error)).catch((failed) => this.#onClosed(toTransportError(failed)));
  }

  async #closeDriver(): Promise<void> {
    if (this.#state === 'closed') return;
    await attempt(() => this.#driver.close()).catch((error) => this.#onBroken(error));
  }

  #callDriver(action: 'pause' | 'resume' | 'closing'): void {
    if (this.#state === 'closed' || this.#failure !== undefined) return;
    try {
      // The driver is undefined while its factory runs.
      this.#driver?.[action]?.();
    } catch (error) {
      this.#onBroken(error);
    }
  }

  // A failure while the driver releases its resources is ignored, because it only ends interrupted work.
  #onBroken(error: unknown): void {
    if (this.#state !== 'closed' && this.#failure === undefined) this.#fail('link', toTransportError(error));
  }

  async #end(): Promise<void> {
    if (this.#sealed) return;
    this.#sealed = true;
    this.#by ??= 'local';
    try {
      await this.#writes.add(() => this.#driver.end?.());
    } finally {
      // This is set even after a failure, because nothing more can be sent.
      this.#outputEnded = true;
      this.#closeWhenBothEnded();
    }
  }

  #refuse(): Promise<never> {
    const error = this.#failure?.error ?? new TransportError('closed', `${this.name}: no more messages can be sent`);
    return refused(error);
  }

  #onOpened(): void {
    if (this.#state !== 'connecting') return;
    this.#state = 'open';
    this.#settleOpened();
    // Runs in a microtask, because the factory may call this before there is a driver to write to.
    queueMicrotask(() => this.#writes.start());
  }

  #onReceive(items: readonly Incoming[]): void {
    this.#lastByteAt = performance.now();
    if (!this.#inputEnded) this.incoming.push(items);
  }

  #onEnded(): void {
    if (this.#inputEnded || this.#state === 'closed') return;
    this.#inputEnded = true;
    this.#by ??= 'peer';
    this.incoming.end();
    this.#closeWhenBothEnded();
  }

  #closeWhenBothEnded(): void {
    if (this.#inputEnded && this.#outputEnded) void this.close();
  }

  #onClosed(cause: TransportError | undefined, details: Pick<TransportClose, 'status'> = {}): void {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    this.#sealed = true;
    const error = this.#failure?.error ?? cause;
    const gone = error ?? new TransportError('closed', `${this.name}: closed`);
    this.#settleOpened(gone);
    this.#writes.fail(gone);
    this.incoming.end(error);
    const by = this.#failure?.by ?? (cause === undefined ? (this.#by ?? 'peer') : 'link');
    const status = details.status ?? error?.status;
    this.#settleClosed({
      ...details,
      by,
      ...(error !== undefined && { error }),
      ...(status !== undefined && { status }),
    });
  }
}

/** A driver may throw as well as reject. */
async function attempt(act: () => Promise<void> | void): Promise<void> {
  await act();
}
