import { TransportError } from './error.ts';
import { IncomingQueue } from './incoming-queue.ts';
import type {
  Batch,
  Incoming,
  SendOptions,
  Transport,
  TransportClose,
  TransportControl,
  TransportDriver,
} from './transport.ts';
import { WriteQueue } from './write-queue.ts';

/** Received but not yet taken by the consumer, in bytes: above it the driver is paused. */
export const DEFAULT_MAX_INCOMING_BYTES = 16 * 1024 * 1024;

export interface TransportOptions {
  /** True where every message travels under an id. Default false. */
  readonly identifies?: boolean;
  /** Default `DEFAULT_MAX_INCOMING_BYTES`. */
  readonly maxIncomingBytes?: number;
}

/**
 * Makes a transport of a driver: order, back pressure, one consumer, one end. `connect` is called at once and once; it may
 * start connecting, and reports through the control it is given.
 */
export function defineTransport(
  name: string,
  connect: (control: TransportControl) => TransportDriver,
  options: TransportOptions = {},
): Transport {
  return new DefinedTransport(name, connect, options);
}

/**
 * States:
 * - `connecting`: what is sent waits
 * - `open`: what is sent is written, one batch at a time
 * - `closing`: `close` or `abort` was called; nothing more is taken, after `close` what was taken is still written
 * - `closed`: the driver has released everything
 */
class DefinedTransport implements Transport {
  readonly name: string;
  readonly identifies: boolean;
  readonly opened: Promise<void>;
  readonly closed: Promise<TransportClose>;
  readonly incoming: IncomingQueue;
  readonly #driver: TransportDriver;
  readonly #writes = new WriteQueue();
  #state: 'connecting' | 'open' | 'closing' | 'closed' = 'connecting';
  #by: 'local' | 'peer' | undefined;
  #abortError: TransportError | undefined;
  #sealed = false;
  #ending: Promise<void> | undefined;
  #outputEnded = false;
  #inputEnded = false;
  #settleOpened!: (error?: Error) => void;
  #settleClosed!: (close: TransportClose) => void;

  constructor(name: string, connect: (control: TransportControl) => TransportDriver, options: TransportOptions) {
    this.name = name;
    this.identifies = options.identifies ?? false;
    this.opened = new Promise((resolve, reject) => {
      this.#settleOpened = (error) => (error === undefined ? resolve() : reject(error));
    });
    // A caller who only looks at `closed` must not see an unhandled rejection.
    this.opened.catch(() => {});
    this.closed = new Promise((resolve) => {
      this.#settleClosed = resolve;
    });
    this.incoming = new IncomingQueue({
      maxBytes: options.maxIncomingBytes ?? DEFAULT_MAX_INCOMING_BYTES,
      // A driver may report what arrived from within its factory, before there is a driver to pause.
      onPause: () => this.#driver?.pause?.(),
      onResume: () => this.#driver?.resume?.(),
      onReturn: () => void this.close(),
    });
    this.#driver = connect({
      opened: () => this.#onOpened(),
      receive: (items) => this.#onReceive(items),
      ended: () => this.#onEnded(),
      closed: (error, details) => this.#onClosed(error, details),
    });
  }

  get resumption() {
    return this.#driver.resumption;
  }

  get worker() {
    return this.#driver.worker;
  }

  send(batch: Batch, { signal }: SendOptions = {}): Promise<void> {
    return this.#sealed ? this.#refuse() : this.#writes.add(() => this.#driver.write(batch), signal);
  }

  flush({ signal }: SendOptions = {}): Promise<void> {
    return this.#state === 'closed' ? this.#refuse() : this.#writes.add(() => this.#driver.flush?.(), signal);
  }

  end(): Promise<void> {
    return (this.#ending ??= this.#end());
  }

  async close(): Promise<void> {
    const state = this.#state;
    if (state === 'connecting' || state === 'open') this.#leave();
    if (state === 'connecting') {
      const error = new TransportError('closed', `${this.name}: closed before it opened`);
      this.#settleOpened(error);
      this.#writes.fail(error);
      void this.#release(() => this.#driver.close());
    } else if (state === 'open') {
      // Behind everything handed over. Rejects only when the end came another way meanwhile.
      this.#writes.add(() => this.#release(() => this.#driver.close())).catch(() => {});
    }
    await this.closed;
  }

  abort(reason?: unknown): void {
    if (this.#state === 'closed' || this.#abortError !== undefined) return;
    const error = new TransportError('aborted', `${this.name}: aborted`, { cause: reason });
    this.#abortError = error;
    this.#leave();
    this.#settleOpened(error);
    this.#writes.fail(error);
    this.incoming.end(error);
    void this.#release(() => this.#driver.abort(error));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #leave(): void {
    this.#by ??= 'local';
    this.#sealed = true;
    this.#state = 'closing';
  }

  /** Lets the driver go; one that fails to say goodbye has gone. */
  async #release(go: () => Promise<void> | void): Promise<void> {
    try {
      await go();
    } catch (error) {
      this.#onClosed(TransportError.from(error));
    }
  }

  async #end(): Promise<void> {
    if (this.#sealed) return;
    this.#sealed = true;
    this.#by ??= 'local';
    await this.#writes.add(() => this.#driver.end?.());
    this.#outputEnded = true;
    this.#closeWhenBothEnded();
  }

  #refuse(): Promise<never> {
    return Promise.reject(this.#abortError ?? new TransportError('closed', `${this.name}: no more messages can be sent`));
  }

  #onOpened(): void {
    if (this.#state !== 'connecting') return;
    this.#state = 'open';
    this.#settleOpened();
    // In a microtask: a driver may report this from within its factory, before there is a driver to write to.
    queueMicrotask(() => this.#writes.start());
  }

  #onReceive(items: readonly Incoming[]): void {
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

  #onClosed(cause: TransportError | undefined, details: Pick<TransportClose, 'status' | 'process'> = {}): void {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    this.#sealed = true;
    const error = this.#abortError ?? cause;
    const gone = error ?? new TransportError('closed', `${this.name}: closed`);
    this.#settleOpened(gone);
    this.#writes.fail(gone);
    this.incoming.end(error);
    const by = this.#abortError === undefined && cause !== undefined ? 'link' : (this.#by ?? 'peer');
    const status = details.status ?? error?.status;
    this.#settleClosed({
      by,
      ...(error !== undefined && { error }),
      ...(status !== undefined && { status }),
      ...(details.process !== undefined && { process: details.process }),
    });
  }
}
