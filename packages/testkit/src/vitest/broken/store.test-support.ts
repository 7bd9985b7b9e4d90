import type { Incoming } from '@proto/core/transport';

type Items = readonly Incoming[];
type Next = IteratorResult<Items, undefined>;

/** Reads more items than its consumer has requested, and may lose these items at the end. */
export function createStore(
  incoming: AsyncIterable<Items>,
  { maxBatches = Number.POSITIVE_INFINITY, dropsAtEnd = false } = {},
): AsyncIterable<Items> {
  const inner = incoming[Symbol.asyncIterator]();
  let stored: Items[] = [];
  let end: (() => Promise<Next>) | undefined;
  let reading = false;
  let taken = false;
  let wake: (() => void) | undefined;

  async function read(): Promise<void> {
    if (reading) return;
    reading = true;
    while (end === undefined && stored.length < maxBatches) {
      try {
        const result = await inner.next();
        if (result.done) finish(() => Promise.resolve({ done: true, value: undefined }));
        else stored.push(result.value);
      } catch (error) {
        finish(() => Promise.reject(error));
      }
      wake?.();
    }
    reading = false;
  }

  function finish(how: () => Promise<Next>): void {
    end = how;
    if (dropsAtEnd) stored = [];
  }

  async function next(): Promise<Next> {
    for (;;) {
      const value = stored.shift();
      void read();
      if (value !== undefined) return { done: false, value };
      if (end !== undefined) {
        const how = end;
        end = () => Promise.resolve({ done: true, value: undefined });
        return how();
      }
      await new Promise<void>((resolve) => (wake = resolve));
    }
  }

  void read();
  return {
    [Symbol.asyncIterator]() {
      if (taken) throw new TypeError('once');
      taken = true;
      return {
        next,
        async return() {
          await inner.return?.();
          return { done: true, value: undefined };
        },
      };
    },
  };
}
