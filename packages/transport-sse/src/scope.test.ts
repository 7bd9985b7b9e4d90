import { verifies } from '@proto/test-support/verifies';
import { expect, test } from 'vitest';
import { Scope } from './scope.ts';

const identity = async (signal: AbortSignal) => signal;

test('the signal of a failed run aborts, and runs in the same scope continue', async () => {
  const scope = new Scope(new AbortController().signal);
  const failure = new Error('failed');
  let other: AbortSignal | undefined;
  let failed: AbortSignal | undefined;
  await scope.run(async (signal) => {
    other = signal;
    const inner = scope.run(async (own) => {
      failed = own;
      throw failure;
    });
    await expect(inner).rejects.toBe(failure);
  });
  expect(failed?.reason).toBe(failure);
  expect(other?.aborted).toBe(false);
  expect(await scope.run(identity)).toBe(other);
});

test('an abort of the outer signal aborts all runs, also later ones', async () => {
  const outer = new AbortController();
  const scope = new Scope(outer.signal);
  const spare = await scope.run(identity);
  const reason = new Error('over');
  const running = await scope.run(async (signal) => {
    outer.abort(reason);
    return signal;
  });
  expect([spare.reason, running.reason]).toEqual([reason, reason]);
  expect((await new Scope(outer.signal).run(identity)).reason).toBe(reason);
});

/** A controller that counts the listeners of its signal. */
function countedController() {
  const outer = new AbortController();
  let listening = 0;
  const { addEventListener, removeEventListener } = outer.signal;
  Object.assign(outer.signal, {
    addEventListener: (...args: Parameters<typeof addEventListener>) => {
      listening++;
      addEventListener.apply(outer.signal, args);
    },
    removeEventListener: (...args: Parameters<typeof removeEventListener>) => {
      listening--;
      removeEventListener.apply(outer.signal, args);
    },
  });
  return { outer, listening: () => listening };
}

test('a signal is shared by a number of runs, and finished runs leave no listener on the outer signal', async () => {
  const { outer, listening } = countedController();
  const scope = new Scope(outer.signal);
  const signals = new Set<AbortSignal>();
  for (let run = 0; run < 1000; run++) signals.add(await scope.run(identity));
  for (let run = 0; run < 5; run++) await scope.run(() => Promise.reject(new Error('failed'))).catch(() => {});
  expect(signals.size).toBe(250);
  expect(listening()).toBe(0);
});

verifies('COST-3', 'concurrent runs share one listener on the outer signal, and end with it', async () => {
  const { outer, listening } = countedController();
  const scope = new Scope(outer.signal);
  const runs = Array.from({ length: 50 }, () =>
    scope.run((signal) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))),
  );
  expect(listening()).toBe(1);
  const reason = new Error('over');
  outer.abort(reason);
  expect(await Promise.allSettled(runs)).toEqual(runs.map(() => ({ status: 'rejected', reason })));
});
