import type { Resumption, Unacknowledged, TransportExtensions, WorkerLink } from '@proto/core/internal';
import {
  type Batch,
  defineTransport,
  type Incoming,
  type Transport,
  type TransportControl,
  type TransportDriver,
} from '@proto/core/transport';

export interface JoinInputOptions {
  /**
   * The lines from the parent process. The end of these lines does not end the session. The lines are read no faster than the session reads. When the
   * session has ended, `return` is called to release the source.
   */
  readonly lines: AsyncIterable<readonly Incoming[]>;
  /** Called with each batch that is sent. */
  readonly onSend?: ((batch: Batch) => void) | undefined;
}

/** A transport with a second source of input. */
export interface JoinedTransport {
  readonly transport: Transport;
  /** Stops reading from the transport, as if the other side had ended. */
  endInput(): void;
}

/** The lines of a second source become items of the transport. */
export function joinInput(inner: Transport & TransportExtensions, options: JoinInputOptions): JoinedTransport {
  let driver!: JoinedDriver;
  const connect = (control: TransportControl) => (driver = new JoinedDriver(control, inner, options));
  const transport = defineTransport(inner.name, connect, { hasMessageIds: inner.hasMessageIds });
  return { transport, endInput: () => driver.endInput() };
}

/** Sends through the inner transport, and receives from two sources. */
class JoinedDriver implements TransportDriver, TransportExtensions {
  readonly #control: TransportControl;
  readonly #inner: Transport & TransportExtensions;
  readonly #options: JoinInputOptions;
  readonly #lines: AsyncIterator<readonly Incoming[]>;
  /** Fulfils when the session reads again. Undefined while the session reads. */
  #full: Promise<void> | undefined;
  #makeRoom = () => {};
  #isOver = false;

  constructor(control: TransportControl, inner: Transport & TransportExtensions, options: JoinInputOptions) {
    this.#control = control;
    this.#inner = inner;
    this.#options = options;
    this.#lines = options.lines[Symbol.asyncIterator]();
    inner.opened.then(
      () => control.opened(),
      () => {},
    );
    // `closed` also reports the error of the inner transport.
    this.#readInner().then(
      () => this.endInput(),
      () => {},
    );
    this.#readLines().catch(() => {});
    void inner.closed.then(({ by: _, error, ...details }) => {
      this.#release();
      control.closed(error, details);
    });
  }

  get resumption(): Resumption | undefined {
    return this.#inner.resumption;
  }

  get unacknowledged(): Unacknowledged | undefined {
    return this.#inner.unacknowledged;
  }

  get worker(): WorkerLink | undefined {
    return this.#inner.worker;
  }

  write(batch: Batch): Promise<void> {
    this.#options.onSend?.(batch);
    return this.#inner.send(batch);
  }

  flush(): Promise<void> {
    return this.#inner.flush();
  }

  close(): Promise<void> {
    this.#release();
    return this.#inner.close();
  }

  abort(reason: unknown): void {
    this.#inner.abort(reason);
  }

  pause(): void {
    this.#full ??= new Promise((resolve) => (this.#makeRoom = resolve));
  }

  resume(): void {
    this.#full = undefined;
    this.#makeRoom();
  }

  endInput(): void {
    this.#release();
    this.#control.ended();
  }

  async #readInner(): Promise<void> {
    for await (const items of this.#inner.incoming) await this.#receive(items);
  }

  async #readLines(): Promise<void> {
    for (let next = await this.#lines.next(); next.done !== true && !this.#isOver; next = await this.#lines.next()) {
      await this.#receive(next.value);
    }
  }

  #receive(items: readonly Incoming[]): Promise<void> | undefined {
    this.#control.receive(items);
    return this.#full;
  }

  /** Also settles all promises that wait for the session to read. */
  #release(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#makeRoom();
    // If a generator is waiting for its next line, `return` takes effect only after that line.
    void Promise.resolve(this.#lines.return?.()).catch(() => {});
  }
}
