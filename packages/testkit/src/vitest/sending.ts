import type { SendOptions } from '@proto/core/internal';
import { type Batch, encodeBatch, type Transport } from '@proto/core/transport';
import type { CaseContext } from './case-context.ts';
import { settlesWithin } from './within.ts';

/**
 * Calls `send`. If a case fails before it awaits this call, a rejection of the call does not count as a second, unhandled failure.
 */
export function send(transport: Transport, batch: Batch, options?: SendOptions): Promise<void> {
  return noted(transport.send(batch, options));
}

/** Calls `flush`, like `send`. */
export function flush(transport: Transport, options?: SendOptions): Promise<void> {
  return noted(transport.flush(options));
}

function noted(call: Promise<void>): Promise<void> {
  call.catch(() => {});
  return call;
}

/** Creates a batch of one message with a number. Its size is about `paddingBytes`. */
export function numbered(n: number, paddingBytes = 0): Batch {
  return encodeBatch(
    paddingBytes === 0 ? { type: 'numbered', n } : { type: 'numbered', n, padding: '.'.repeat(paddingBytes) },
  );
}

/** Returns the numbers from `first` to `last`, both included. */
export function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/** Returns numbers in ascending order. Only the cases of point 2 check the order of arrival. */
export function sorted(numbers: readonly unknown[]): unknown[] {
  return [...numbers].sort((a, b) => Number(a) - Number(b));
}

const MESSAGE_BYTES = 64 * 1024;

/** The state of a transport that accepts no further message. */
export interface Blocked {
  /** The messages with the numbers 1 to `count` were sent. */
  readonly count: number;
  /** The send that stays pending. Undefined if no send stays pending; only the cases of point 3 report this. */
  readonly pending: Promise<void> | undefined;
}

/** Sends messages while the other side does not read, until a send stays pending. */
export async function block(transport: Transport, { limits }: CaseContext): Promise<Blocked> {
  const count = Math.ceil(limits.floodBytes / MESSAGE_BYTES);
  for (let n = 1; n <= count; n++) {
    const pending = send(transport, numbered(n, MESSAGE_BYTES));
    if (await staysPending(pending, limits.quietMs)) return { count: n, pending };
    // A send that fails is not back pressure.
    await pending;
  }
  return { count, pending: undefined };
}

/** Whether a send stays pending. Waits a second time, three times as long, because a slow transport must not count as blocked. */
async function staysPending(promise: Promise<void>, quietMs: number): Promise<boolean> {
  return !(await settlesWithin(quietMs, promise)) && !(await settlesWithin(3 * quietMs, promise));
}
