import type { WireMessage } from '@proto/core/framing';
import { verifies } from '@proto/test-support/verifies';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { recordedMessages } from '../recorded.test-support.ts';
import { createTextAssembler } from './text-assembler.ts';

const added = (messages: readonly WireMessage[]) => {
  const assembler = createTextAssembler();
  return messages.map((message) => assembler.add(message));
};

const event = (body: object, thread: string | null = null): WireMessage => ({
  type: 'stream_event',
  event: body,
  parent_tool_use_id: thread,
});
const start = (id: string, thread?: string) => event({ type: 'message_start', message: { id } }, thread);
const delta = (text: string, thread?: string) =>
  event({ type: 'content_block_delta', delta: { type: 'text_delta', text } }, thread);
const stop = (thread?: string) => event({ type: 'message_stop' }, thread);
const whole = (id: string, texts: readonly string[], thread: string | null = null): WireMessage => ({
  type: 'assistant',
  message: { id, content: texts.map((text) => ({ type: 'text', text })) },
  parent_tool_use_id: thread,
});

/** Messages of one or more blocks, each block with its text in pieces. */
const replies = fc.array(fc.array(fc.array(fc.string(), { maxLength: 4 }), { maxLength: 3 }), { maxLength: 4 });

/** The position of the whole message: each block after its own increments, each block after all increments, or all blocks at once. */
const forms = fc.constantFrom('after each block', 'blocks at the end', 'one at the end');

verifies('PARSE-6', 'the text is the same with and without increments, for any division into messages', () => {
  fc.assert(
    fc.property(replies, forms, (messages, form) => {
      const stream = messages.flatMap((blocks, index) => {
        const id = `m${index}`;
        const texts = blocks.map((pieces) => pieces.join(''));
        const increments = blocks.map((pieces) => pieces.map((piece) => delta(piece)));
        const wholes = form === 'one at the end' ? [whole(id, texts)] : texts.map((text) => whole(id, [text]));
        if (form !== 'after each block') return [start(id), ...increments.flat(), stop(), ...wholes];
        return [
          start(id),
          ...increments.flatMap((pieces, block) => [...pieces, ...wholes.slice(block, block + 1)]),
          stop(),
        ];
      });
      const expected = messages.flat(2).join('');
      expect(added(stream).join('')).toBe(expected);
      expect(added(stream.filter(({ type }) => type === 'assistant')).join('')).toBe(expected);
    }),
  );
});

verifies('PARSE-6', 'the text of each recorded turn is returned once', () => {
  for (const name of ['partial-messages', 'interrupt-mid-text', 'thinking-no-partial']) {
    const messages = recordedMessages(name);
    const withIncrements = added(messages).join('');
    expect(withIncrements, name).toBe(added(messages.filter(({ type }) => type === 'assistant')).join(''));
    expect(withIncrements, name).not.toBe('');
  }
});

test('increments are returned at once, and the whole message adds the missing rest', () => {
  expect(added([start('m'), delta('Hel'), delta('lo'), whole('m', ['Hello, you'])])).toEqual([
    '',
    'Hel',
    'lo',
    ', you',
  ]);
});

test('a whole message that differs from its increments is returned whole', () => {
  expect(added([start('m'), delta('Hel'), whole('m', ['Good bye'])])).toEqual(['', 'Hel', 'Good bye']);
});

test('the text of a subagent in between does not change the text of the main thread', () => {
  const stream = [
    start('m'),
    delta('a'),
    start('s', 'T1'),
    delta('x', 'T1'),
    delta('b'),
    whole('s', ['x'], 'T1'),
    whole('m', ['ab']),
  ];
  expect(added(stream).join('')).toBe('axb');
});

test('other messages and malformed messages add no text', () => {
  const odd = [
    { type: 'user', message: { content: [{ type: 'text', text: 'mine' }] } },
    { type: 'stream_event' },
    { type: 'assistant' },
    { type: 'assistant', message: { content: 'text' } },
    { type: 'stream_event', event: { type: 'content_block_delta', delta: { type: 'input_json_delta' } } },
  ];
  expect(added(odd).join('')).toBe('');
});

test('the text of 1000 threads is remembered, and the oldest thread is forgotten first', () => {
  const assembler = createTextAssembler();
  const start = (thread: string) => ({
    type: 'stream_event',
    parent_tool_use_id: thread,
    event: { type: 'message_start', message: { id: 'm' } },
  });
  const delta = (thread: string) => ({
    type: 'stream_event',
    parent_tool_use_id: thread,
    event: { type: 'content_block_delta', delta: { type: 'text_delta', text: 'hi' } },
  });
  const whole = (thread: string) => ({
    type: 'assistant',
    parent_tool_use_id: thread,
    message: { id: 'm', content: [{ type: 'text', text: 'hi' }] },
  });
  for (let n = 0; n <= 1000; n++) for (const message of [start(`t${n}`), delta(`t${n}`)]) assembler.add(message);
  expect(assembler.add(whole('t1000'))).toBe('');
  expect(assembler.add(whole('t0'))).toBe('hi');
});
