import type { SendOptions, TransportExtensions } from '@proto/core/internal';
import type { Batch, Incoming, Transport, TransportClose } from '@proto/core/transport';

type Members = Transport & TransportExtensions;

/** A broken transport overrides the members that it breaks. */
export class Around implements Transport, TransportExtensions, Record<keyof Members, unknown> {
  protected readonly inner: Members;

  constructor(inner: Members) {
    this.inner = inner;
  }

  get name(): string {
    return this.inner.name;
  }

  get hasMessageIds(): boolean {
    return this.inner.hasMessageIds;
  }

  get opened(): Promise<void> {
    return this.inner.opened;
  }

  get closed(): Promise<TransportClose> {
    return this.inner.closed;
  }

  get incoming(): AsyncIterable<readonly Incoming[]> {
    return this.inner.incoming;
  }

  get resumption(): Members['resumption'] {
    return this.inner.resumption;
  }

  get unacknowledged(): Members['unacknowledged'] {
    return this.inner.unacknowledged;
  }

  get worker(): Members['worker'] {
    return this.inner.worker;
  }

  get liveness(): Members['liveness'] {
    return this.inner.liveness;
  }

  send(batch: Batch, options?: SendOptions): Promise<void> {
    return this.inner.send(batch, options);
  }

  flush(options?: SendOptions): Promise<void> {
    return this.inner.flush(options);
  }

  end(): Promise<void> {
    return this.inner.end();
  }

  close(): Promise<void> {
    return this.inner.close();
  }

  abort(reason?: unknown): void {
    this.inner.abort(reason);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

type Next = IteratorResult<readonly Incoming[]>;

/** Absent members change nothing. */
export interface IterationFaults {
  next?(inner: AsyncIterator<readonly Incoming[]>): Promise<Next>;
  leave?(inner: AsyncIterator<readonly Incoming[]>): Promise<unknown>;
}

/** Like the wrapped iteration, the result can be used only once. */
export function faultyIteration(
  incoming: AsyncIterable<readonly Incoming[]>,
  { next, leave }: IterationFaults,
): AsyncIterable<readonly Incoming[]> {
  return {
    [Symbol.asyncIterator]() {
      const inner = incoming[Symbol.asyncIterator]();
      return {
        next: () => next?.(inner) ?? inner.next(),
        async return() {
          await (leave === undefined ? inner.return?.() : leave(inner));
          return { done: true, value: undefined };
        },
      };
    },
  };
}

export function mapped(
  incoming: AsyncIterable<readonly Incoming[]>,
  change: (items: readonly Incoming[]) => readonly Incoming[],
): AsyncIterable<readonly Incoming[]> {
  return faultyIteration(incoming, {
    async next(inner) {
      const result = await inner.next();
      return result.done ? result : { done: false, value: change(result.value) };
    },
  });
}
