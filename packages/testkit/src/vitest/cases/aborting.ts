import { type Transport, TransportError } from '@proto/core/transport';
import { expect } from 'vitest';
import { block, flush, numbered, send } from '../sending.ts';
import type { CaseContext } from '../case-context.ts';
import type { ContractCase } from '../contract-case.ts';
import type { Reader } from '../reader.ts';

/** Point 8, sudden ends: after `abort` or a broken connection, all promises settle, in any state. */
export const aborting: readonly ContractCase[] = [
  {
    point: 8,
    title: 'abort ends the iteration, and the value of closed contains the reason',
    async run(context) {
      const { local } = await context.connect();
      const here = context.read(local);
      await abortsWith(context, local, { incoming: here.pending });
    },
  },
  {
    point: 8,
    title: 'abort settles a blocked write and all calls that wait for it',
    needs: ['backPressure'],
    async run(context) {
      const { local } = await context.connect();
      const here = context.read(local);
      await abortsWith(context, local, await blocked(context, local, here));
    },
  },
  {
    point: 8,
    title: 'abort ends a close that waits for a blocked write',
    needs: ['backPressure'],
    async run(context) {
      const { local } = await context.connect();
      const here = context.read(local);
      const calls = await blocked(context, local, here);
      await abortsWith(context, local, { ...calls, close: local.close() });
    },
  },
  {
    point: 8,
    title: 'abort before the link is up settles all pending calls',
    needs: ['connecting'],
    async run(context) {
      const transport = await context.connecting();
      const next = context.read(transport).pending;
      const calls = { send: send(transport, numbered(1)), flush: flush(transport), opened: transport.opened };
      await abortsWith(context, transport, { ...calls, incoming: next });
      await expect(transport.opened).rejects.toSatisfy((error) => TransportError.is(error));
    },
  },
  {
    point: 8,
    title: 'a call of abort after end settles, and so does a call of close after the abort',
    async run(context) {
      const { local } = await context.connect();
      const end = local.end();
      local.abort('first');
      local.abort('second');
      await context.allSettle({
        end,
        close: local.close(),
        dispose: local[Symbol.asyncDispose](),
        closed: local.closed,
      });
      expect((await local.closed).error?.code).toBe('aborted');
    },
  },
  {
    point: 8,
    title: 'after the end of the transport, no message is accepted and no call hangs',
    async run(context) {
      for (const finish of ['close', 'abort'] as const) {
        const { local } = await context.connect();
        const here = context.read(local);
        await local[finish]();
        await context.within(local.closed, 'closed fulfils');
        const calls = [async () => send(local, numbered(1)), async () => flush(local)].map((call) => call());
        await context.allSettle({
          send: calls[0] as Promise<void>,
          flush: calls[1] as Promise<void>,
          end: local.end(),
        });
        for (const call of calls) await expect(call).rejects.toBeInstanceOf(Error);
        await context.allSettle({ close: local.close(), incoming: here.pending });
      }
    },
  },
  {
    point: 8,
    title: 'a broken link settles all pending calls',
    needs: ['breaks'],
    async run(context) {
      const pair = await context.connect();
      const here = context.read(pair.local);
      const calls = context.under.backPressure
        ? await blocked(context, pair.local, here)
        : { flush: flush(pair.local), incoming: here.pending };
      await context.cut(pair);
      await context.allSettle({ ...calls, closed: pair.local.closed });
    },
  },
  {
    point: 8,
    title: 'abort during a retry delay settles all pending calls',
    needs: ['reconnect', 'cut'],
    async run(context) {
      const pair = await context.connect();
      const here = context.read(pair.local);
      await context.lose(pair, here);
      const calls = { send: send(pair.local, numbered(1)), flush: flush(pair.local) };
      await abortsWith(context, pair.local, { ...calls, incoming: here.pending });
    },
  },
];

/** Blocks a transport, and makes one call of each kind that must wait. */
async function blocked(
  context: CaseContext,
  transport: Transport,
  reader: Reader,
): Promise<Record<string, Promise<unknown>>> {
  const { count, pending } = await block(transport, context);
  const calls = { send: send(transport, numbered(count + 1)), flush: flush(transport), incoming: reader.pending };
  return pending === undefined ? calls : { ...calls, 'blocked send': pending };
}

async function abortsWith(
  context: CaseContext,
  transport: Transport,
  calls: Readonly<Record<string, Promise<unknown>>>,
): Promise<void> {
  const reason = new Error('the user left');
  transport.abort(reason);
  await context.allSettle({ ...calls, closed: transport.closed });
  const { by, error } = await transport.closed;
  expect([by, error?.code, error?.cause]).toEqual(['local', 'aborted', reason]);
}
