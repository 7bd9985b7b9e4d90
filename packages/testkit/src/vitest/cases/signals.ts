import type { Transport } from '@proto/core/transport';
import { expect } from 'vitest';
import { block, flush, numbered, range, send, sorted } from '../sending.ts';
import type { CaseContext } from '../case-context.ts';
import type { ContractCase } from '../contract-case.ts';

/** Point 5: an aborted call rejects immediately with `signal.reason` itself. A batch is never sent if its write has not begun. */
export const signals: readonly ContractCase[] = [
  {
    point: 5,
    title: 'an aborted signal rejects send and flush with its reason, and nothing is sent',
    async run(context) {
      const { local, remote } = await context.connect();
      const there = context.read(remote);
      const controller = new AbortController();
      const reason = { why: 'changed my mind' };
      controller.abort(reason);
      const first = send(local, numbered(1));
      await rejectsWith(context, send(local, numbered(2), controller), reason);
      await rejectsWith(context, flush(local, controller), reason);
      await context.within(Promise.all([first, send(local, numbered(3))]), 'the sends settle');
      await there.take(2);
      expect(sorted(there.numbers)).toEqual([1, 3]);
    },
  },
  {
    point: 5,
    title: 'a send that is aborted while it waits rejects at once, and the other side never receives the message',
    needs: ['backPressure'],
    async run(context) {
      const { local, remote } = await context.connect();
      const { count, pending } = await block(local, context);
      if (pending === undefined) return;
      const controller = new AbortController();
      const withdrawn = send(local, numbered(count + 1), controller);
      const flushed = flush(local, controller);
      const last = send(local, numbered(count + 2));
      const reason = new Error('changed my mind');
      controller.abort(reason);
      await rejectsWith(context, withdrawn, reason);
      await rejectsWith(context, flushed, reason);
      const there = context.read(remote);
      await there.take(count + 1);
      expect(sorted(there.numbers)).toEqual([...range(1, count), count + 2]);
      await context.within(Promise.all([pending, last]), 'the other sends settle');
    },
  },
  {
    point: 5,
    title: 'a send that is aborted before the link is up rejects at once',
    needs: ['connecting'],
    async run(context) {
      const transport = await context.connecting();
      const controller = new AbortController();
      const calls = [send(transport, numbered(1), controller), flush(transport, controller)];
      const reason = 'a reason need not be an error';
      controller.abort(reason);
      for (const call of calls) await rejectsWith(context, call, reason);
    },
  },
  {
    point: 5,
    title: 'a signal has no listener after the call has settled',
    async run(context) {
      const { local, remote } = await context.connect();
      context.read(remote);
      const { signal, listeners } = watchedSignal();
      await context.within(send(local, numbered(1), { signal }), 'send settles');
      await context.within(flush(local, { signal }), 'flush settles');
      expect(listeners.size).toBe(0);
      await leavesNoListenerWhenItFails(context, local);
    },
  },
];

async function leavesNoListenerWhenItFails(context: CaseContext, transport: Transport): Promise<void> {
  const { signal, listeners } = watchedSignal();
  await context.within(transport.close(), 'close settles');
  const calls = [send(transport, numbered(2), { signal }), flush(transport, { signal })];
  await context.within(Promise.allSettled(calls), 'send and flush settle');
  expect(listeners.size).toBe(0);
}

/** A signal that never aborts, and the listeners that it has. Only Node has a function that returns them. */
function watchedSignal(): { readonly signal: AbortSignal; readonly listeners: ReadonlySet<unknown> } {
  const { signal } = new AbortController();
  const { addEventListener, removeEventListener } = signal;
  const listeners = new Set<unknown>();
  signal.addEventListener = (...args: Parameters<typeof addEventListener>) => {
    listeners.add(args[1]);
    addEventListener.apply(signal, args);
  };
  signal.removeEventListener = (...args: Parameters<typeof removeEventListener>) => {
    listeners.delete(args[1]);
    removeEventListener.apply(signal, args);
  };
  return { signal, listeners };
}

async function rejectsWith(context: CaseContext, call: Promise<void>, reason: unknown): Promise<void> {
  const outcome = call.then(
    () => 'no rejection',
    (error: unknown) => error,
  );
  expect(await context.within(outcome, 'the aborted call rejects')).toBe(reason);
}
