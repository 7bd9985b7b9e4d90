import { verifies } from '@proto/requirements';
import { expect, test } from 'vitest';
import { Scope } from './scope.ts';

const identity = async (signal: AbortSignal) => signal;

test('what fails is released, and what runs beside it goes on', async () => {
  const scope = new Scope(new AbortController().signal);
  const failure = new Error('failed');
  let beside: AbortSignal | undefined;
  let failed: AbortSignal | undefined;
  await scope.run(async (signal) => {
    beside = signal;
    const inner = scope.run(async (own) => {
      failed = own;
      throw failure;
    });
    await expect(inner).rejects.toBe(failure);
  });
  expect(failed?.reason).toBe(failure);
  expect(beside?.aborted).toBe(false);
  expect(await scope.run(identity)).toBe(beside);
});

test('with the outer signal all of it is released, also what begins then', async () => {
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

/** A controller, and how many listen to its signal. */
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

test('a signal serves many runs and not all, and the outer one is not listened to by those that are gone', async () => {
  const { outer, listening } = countedController();
  const scope = new Scope(outer.signal);
  const signals = new Set<AbortSignal>();
  for (let run = 0; run < 1000; run++) signals.add(await scope.run(identity));
  for (let run = 0; run < 5; run++) await scope.run(() => Promise.reject(new Error('failed'))).catch(() => {});
  expect(signals.size).toBe(250);
  expect(listening()).toBe(0);
});

verifies('R-27.2', 'many runs at a time listen to the outer signal once, and end with it', async () => {
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
