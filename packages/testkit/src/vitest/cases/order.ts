import { TransportError, type Transport } from '@proto/core/transport';
import { expect } from 'vitest';
import { numbered, range, send } from '../sending.ts';
import type { CaseContext } from '../case-context.ts';
import type { ContractCase } from '../contract-case.ts';

const COUNT = 200;

/** Point 2: `send` preserves the order of calls, whether they are awaited or not, never throws synchronously, and waits for `opened`. */
export const order: readonly ContractCase[] = [
  {
    point: 2,
    title: 'messages arrive in the order of the send calls, awaited or not',
    async run(context) {
      const { local, remote } = await context.connect();
      const there = context.read(remote);
      const sent = sendAll(local);
      await there.take(COUNT);
      expect(there.numbers).toEqual(range(1, COUNT));
      await context.within(sent, 'the sends settle');
    },
  },
  {
    point: 2,
    title: 'the reader gets messages in the order in which the other side sent them',
    async run(context) {
      const { local, remote } = await context.connect();
      const here = context.read(local);
      const sent = sendAll(remote);
      await here.take(COUNT);
      expect(here.numbers).toEqual(range(1, COUNT));
      await context.within(sent, 'the sends of the other side settle');
    },
  },
  {
    point: 2,
    title: 'sends before the link is up wait for the link, and keep their order',
    async run(context) {
      const { local, remote } = await context.open();
      const early = range(1, 5).map((n) => send(local, numbered(n)));
      await context.within(local.opened, 'opened fulfils');
      const late = range(6, 10).map((n) => send(local, numbered(n)));
      const there = context.read(remote);
      await there.take(10);
      expect(there.numbers).toEqual(range(1, 10));
      await context.within(Promise.all([...early, ...late]), 'the sends settle');
    },
  },
  {
    point: 2,
    title: 'a send after end or close rejects, and does not throw',
    async run(context) {
      for (const finish of ['end', 'close'] as const) {
        const { local } = await context.connect();
        await context.within(local[finish](), `${finish} settles`);
        await refused(context, local);
      }
    },
  },
];

function sendAll(transport: Transport): Promise<void> {
  const sending = sendEach(transport);
  // The sends are not awaited first: messages that do not arrive should fail the case by their own error.
  sending.catch(() => {});
  return sending;
}

async function sendEach(transport: Transport): Promise<void> {
  const sent: Promise<void>[] = [];
  for (const n of range(1, COUNT)) {
    const pending = send(transport, numbered(n));
    if (n % 50 === 0) await pending;
    sent.push(pending);
  }
  await Promise.all(sent);
}

async function refused(context: CaseContext, transport: Transport): Promise<void> {
  let sent: Promise<unknown>;
  try {
    sent = send(transport, numbered(1));
  } catch (error) {
    throw new Error('send threw synchronously', { cause: error });
  }
  const error = await context.within(
    sent.then(
      () => undefined,
      (reason: unknown) => reason,
    ),
    'the send settles',
  );
  expect(TransportError.is(error) ? error.code : error).toBe('closed');
}
