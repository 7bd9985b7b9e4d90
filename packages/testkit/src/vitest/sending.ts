import type { SendOptions } from '@proto/core/internal';
import { type Batch, encodeBatch, type Transport } from '@proto/core/transport';
import type { CaseContext } from './case-context.ts';
import { settlesWithin } from './within.ts';

/**
 * Calls `send`. If a case fails before it awaits this call, a rejection of the call is not reported as a second, unhandled failure.
 */
export function send(transport: Transport, batch: Batch, options?: SendOptions): Promise<void> {
  return noted(transport.send(batch, options));
}

export function flush(transport: Transport, options?: SendOptions): Promise<void> {
  return noted(transport.flush(options));
}

function noted(call: Promise<void>): Promise<void> {
  call.catch(() => {});
  return call;
}

/** The size of the message is about `paddingBytes`. */
export function numbered(n: number, paddingBytes = 0): Batch {
  return encodeBatch(
    paddingBytes === 0 ? { type: 'numbered', n } : { type: 'numbered', n, padding: '.'.repeat(paddingBytes) },
  );
}

/** Returns the numbers from `first` to `last`, inclusive. */
export function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/** Only the cases of point 2 check the order of arrival. */
export function sorted(numbers: readonly unknown[]): unknown[] {
  return [...numbers].sort((a, b) => Number(a) - Number(b));
}

const MESSAGE_BYTES = 64 * 1024;

export interface Blocked {
  /** The messages are numbered from 1 to `count`. */
  readonly count: number;
  /** Undefined if no send stays pending, which only the cases of point 3 treat as a failure. */
  readonly pending: Promise<void> | undefined;
}

/** Sends messages while the other side does not read, until a send stays pending. */
export async function block(transport: Transport, { limits }: CaseContext): Promise<Blocked> {
  const count = Math.ceil(limits.floodBytes / MESSAGE_BYTES);
  for (let n = 1; n <= count; n++) {
    const pending = send(transport, numbered(n, MESSAGE_BYTES));
    if (await staysPending(pending, limits.quietMs)) return { count: n, pending };
    // If a send fails, this is not back pressure.
    await pending;
  }
  return { count, pending: undefined };
}

/** Waits twice, the second time three times as long, so that a slow transport is not mistaken for a blocked transport. */
async function staysPending(promise: Promise<void>, quietMs: number): Promise<boolean> {
  return !(await settlesWithin(quietMs, promise)) && !(await settlesWithin(3 * quietMs, promise));
}
