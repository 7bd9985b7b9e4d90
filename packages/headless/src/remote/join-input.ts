import type { TransportExtensions } from '@proto/core/internal';
import {
  type Batch,
  defineTransport,
  type Incoming,
  type Transport,
  type TransportControl,
} from '@proto/core/transport';

/** The second source of input for a remote session, and what is called with its output. */
export interface JoinInputOptions {
  /**
   * The lines of the parent process. Their end does not end the session. They are read no faster than the session reads, and released with
   * `return` when the session is over.
   */
  readonly lines: AsyncIterable<readonly Incoming[]>;
  /** Is called with each batch that is sent. */
  readonly onSend?: ((batch: Batch) => void) | undefined;
}

/** A transport with a second source of input. */
export interface JoinedTransport {
  readonly transport: Transport;
  /** Reads no more, as if the other side had ended. */
  endInput(): void;
}

/** Adds lines to the items that a transport receives. */
export function joinInput(
  inner: Transport & TransportExtensions,
  { lines, onSend }: JoinInputOptions,
): JoinedTransport {
  let endInput = () => {};
  const connect = (control: TransportControl) => {
    let full: Promise<void> | undefined;
    let makeRoom = () => {};
    const receive = (items: readonly Incoming[]) => {
      control.receive(items);
      return full;
    };
    const read = async () => {
      for await (const items of inner.incoming) await receive(items);
    };
    const own = lines[Symbol.asyncIterator]();
    let isOver = false;
    const readOwn = async () => {
      for (let next = await own.next(); next.done !== true && !isOver; next = await own.next())
        await receive(next.value);
    };
    const release = () => {
      if (isOver) return;
      isOver = true;
      makeRoom();
      // A generator that waits for its next line returns only after that line.
      void Promise.resolve(own.return?.()).catch(() => {});
    };
    endInput = () => {
      release();
      control.ended();
    };
    inner.opened.then(
      () => control.opened(),
      () => {},
    );
    // `closed` tells this error, too.
    read().then(endInput, () => {});
    readOwn().catch(() => {});
    void inner.closed.then(({ by: _, error, ...details }) => {
      release();
      control.closed(error, details);
    });
    return {
      write(batch: Batch) {
        onSend?.(batch);
        return inner.send(batch);
      },
      flush: () => inner.flush(),
      close() {
        release();
        return inner.close();
      },
      abort: (reason: unknown) => inner.abort(reason),
      pause: () => void (full ??= new Promise((resolve) => (makeRoom = resolve))),
      resume() {
        full = undefined;
        makeRoom();
      },
      get resumption() {
        return inner.resumption;
      },
      get retained() {
        return inner.retained;
      },
      get worker() {
        return inner.worker;
      },
    };
  };
  const transport = defineTransport(inner.name, connect, { identifies: inner.identifies });
  return { transport, endInput: () => endInput() };
}
