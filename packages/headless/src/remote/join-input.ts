import type { TransportExtensions } from '@proto/core/internal';
import {
  type Batch,
  defineTransport,
  type Incoming,
  type Transport,
  type TransportControl,
} from '@proto/core/transport';

/** What goes into a remote session from this side, and what is seen of what goes out. */
export interface JoinInputOptions {
  /**
   * What this process's parent says beside the session; its end is not the end of the session. Read no further than the session reads, and
   * released with `return` when that is over.
   */
  readonly lines: AsyncIterable<readonly Incoming[]>;
  /** Hears each batch when it is sent. */
  readonly onSend?: ((batch: Batch) => void) | undefined;
}

/** A transport with a second source of input. */
export interface JoinedTransport {
  readonly transport: Transport;
  /** Nothing more is read, as if the other side had ended. */
  endInput(): void;
}

/** Joins lines into what a transport receives; all else is its own. */
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
      // A generator that waits for its next line answers when that has come.
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
    // How it ended is told by `closed`.
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
