import { encodeBatch, type IncomingMessage, type Transport } from '@proto/core/transport';
import { expect } from 'vitest';
import { send } from '../sending.ts';
import type { CaseContext } from '../case-context.ts';
import type { ContractCase } from '../contract-case.ts';

/** Values that transports have damaged in the past. */
const samples: readonly unknown[] = [
  null,
  true,
  ['', ' ', '\n', '\r\n', '\0', '\t', '"', '\\', '\u007f'],
  'line and paragraph separators: \u2028 \u2029, next line: \u0085, byte order mark: \ufeff',
  'two, three and four bytes: \u00e9 \u20ac \u{1f600} \u{10ffff}',
  'surrogates alone: \ud800 \udc00 \udfff\ud800',
  'data: {"type":"x"}\n\nevent: x\n: comment',
  [0, -0, -1, 1.5, 1e-7, 1e21, 2 ** 53, Number.MAX_VALUE, Number.MIN_VALUE],
  [[], {}, [[]], [{}], { '': '' }, { a: { b: { c: [1, [2, [3]]] } } }],
  { __proto__: null, constructor: 1, toString: 2, type: 'inner', n: -1 },
];

/** Point 4: any message arrives unchanged, and the two sides share no object. */
export const messages: readonly ContractCase[] = [
  {
    point: 4,
    title: 'every message arrives unchanged in both directions, alone and in a batch',
    async run(context) {
      const { local, remote } = await context.connect();
      const sent = samples.map((value, n) => ({ type: 'sample', n, value }));
      for (const [from, to] of [
        [local, remote],
        [remote, local],
      ] as const) {
        const reader = context.read(to);
        const sending = Promise.all([
          ...sent.map((message) => send(from, encodeBatch(message))),
          send(from, encodeBatch(...sent)),
        ]);
        // The sends are not awaited first: messages that do not arrive should fail the case by their own error.
        sending.catch(() => {});
        const arrived = await reader.take(2 * sent.length);
        await context.within(sending, 'the sends settle');
        for (const message of sent) {
          const copies = arrived.map((item) => item.read().message).filter((copy) => copy?.['n'] === message.n);
          // The transport may have added the message id.
          if (from.hasMessageIds) for (const copy of copies) Reflect.deleteProperty(copy as object, 'uuid');
          const expected = JSON.parse(JSON.stringify(message)) as unknown;
          expect(copies).toEqual([expected, expected]);
        }
      }
    },
  },
  {
    point: 4,
    title: 'a message of 1 MB arrives unchanged in both directions',
    async run(context) {
      const { local, remote } = await context.connect();
      const message = { type: 'big', text: 'a\u20ac\u{1f600}\n'.repeat(100_000) };
      for (const [from, to] of [
        [local, remote],
        [remote, local],
      ] as const) {
        const reader = context.read(to);
        const sent = send(from, encodeBatch(message));
        const [arrived] = await reader.take(1);
        expect(arrived?.read().message?.['text'] === message.text).toBe(true);
        await context.within(sent, 'the send settles');
      }
    },
  },
  {
    point: 4,
    title: 'a byte order mark is a character like any other, wherever the medium cuts a message',
    async run(context) {
      const { local, remote } = await context.connect();
      // The text contains so many byte order marks that every chunk of the medium begins with a mark, or with the second or third byte of one.
      const message = { type: 'marks', text: '\ufeff'.repeat(100_000) };
      for (const [from, to] of [
        [local, remote],
        [remote, local],
      ] as const) {
        const reader = context.read(to);
        const sent = send(from, encodeBatch(message));
        const [arrived] = await reader.take(1);
        const text = arrived?.read().message?.['text'];
        expect([typeof text, String(text).length]).toEqual(['string', message.text.length]);
        await context.within(sent, 'the send settles');
      }
    },
  },
  {
    point: 4,
    title: 'no object is shared: each side may change its own objects',
    async run(context) {
      const { local, remote } = await context.connect();
      await sharesNothing(context, local, remote);
      await sharesNothing(context, remote, local);
    },
  },
];

async function sharesNothing(context: CaseContext, from: Transport, to: Transport): Promise<void> {
  const reader = context.read(to);
  const message = { type: 'list', list: [1] };
  const batch = encodeBatch(message);
  message.list.push(2);
  await context.within(send(from, batch), 'send settles');
  await context.within(send(from, batch), 'send settles');
  const [first, second] = await reader.take(2);
  const list = listOf(first);
  list.push(3);
  expect(listOf(first)).toBe(list);
  expect([listOf(second), message.list]).toEqual([[1], [1, 2]]);
}

function listOf(item: IncomingMessage | undefined): unknown[] {
  return item?.read().message?.['list'] as unknown[];
}
