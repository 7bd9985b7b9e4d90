import type { Transport } from '@proto/core/transport';
import { send } from './calls.ts';
import type { CaseContext } from './case-context.ts';
import { numbered } from './numbered.ts';
import { settlesWithin } from './within.ts';

const MESSAGE_BYTES = 64 * 1024;

/** How a medium came to stand still. */
export interface Blocked {
  /** The messages sent have the numbers 1 to this. */
  readonly count: number;
  /** The send that stays pending; undefined where none does, which is for the cases of point 3 to complain about. */
  readonly pending: Promise<void> | undefined;
}

/** Sends while nobody reads the other side, until a send stays pending. */
export async function block(transport: Transport, { limits }: CaseContext): Promise<Blocked> {
  const count = Math.ceil(limits.floodBytes / MESSAGE_BYTES);
  for (let n = 1; n <= count; n++) {
    const pending = send(transport, numbered(n, MESSAGE_BYTES));
    if (await staysPending(pending, limits.quietMs)) return { count: n, pending };
    // A send that fails is no back pressure.
    await pending;
  }
  return { count, pending: undefined };
}

/** A second look, three times as long: a medium that is only slow must not pass for one that is blocked. */
async function staysPending(promise: Promise<void>, quietMs: number): Promise<boolean> {
  return !(await settlesWithin(quietMs, promise)) && !(await settlesWithin(3 * quietMs, promise));
}
