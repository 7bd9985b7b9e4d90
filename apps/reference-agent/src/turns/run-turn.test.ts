import { describe, expect, test } from 'vitest';
import { createReferenceAgent } from '../index.ts';
import { endOf, pieceOf, said, textsOf, turnOf } from '../turn.test-support.ts';

describe('a prompt', () => {
  test('is a list of commands, one a line; other lines are answered as text', async () => {
    const messages = await said(turnOf('/echo one two\n\nhello there\r\n/slow 0'));
    expect(textsOf(messages)).toEqual(['one two', 'You said: hello there', 'done']);
    expect(messages.map(pieceOf).join('')).toBe('one twoYou said: hello theredone');
    expect(endOf(messages)).toMatchObject({ type: 'result', subtype: 'success', result: 'done' });
  });

  test('may be content blocks', async () => {
    const blocks = [{ type: 'text', text: '/echo a' }, { type: 'image' }, { type: 'text', text: '/echo b' }];
    expect(textsOf(await said(turnOf(blocks)))).toEqual(['a', 'b']);
  });

  test('with a bad argument fails the turn, and what was said before stays', async () => {
    const messages = await said(turnOf('/echo a\n/slow soon\n/echo b'));
    expect(textsOf(messages)).toEqual(['a']);
    expect(endOf(messages)).toMatchObject({
      subtype: 'error_during_execution',
      is_error: true,
      errors: ["/slow needs a number of seconds, not 'soon'"],
    });
  });

  test('without anything in it is answered all the same', async () => {
    expect((await said(turnOf(' \n'))).at(-1)).toMatchObject({ type: 'result', result: 'You said nothing.' });
  });

  test('that came while a tool ran is answered in the same turn', async () => {
    const queued = ['/echo two', '/echo three'];
    const messages = await said(turnOf('/bash echo one', { takeQueued: async () => queued.splice(0) }));
    expect(textsOf(messages)).toEqual(['one', 'two', 'three']);
  });

  test('of a background task that ended is news, not commands', async () => {
    const origin = { kind: 'task-notification' };
    expect(textsOf(await said(turnOf('/fail execution', { origin })))).toEqual(['/fail execution']);
  });
});

test('a reply keeps the order of real agents: the whole message before the end of its block', async () => {
  const messages = await said(turnOf('/echo a b'), { includePartialMessages: true });
  expect(messages.map(({ type, event, subtype }) => event?.type ?? subtype ?? type)).toEqual([
    'status',
    'message_start',
    'content_block_start',
    'content_block_delta',
    'content_block_delta',
    'assistant',
    'content_block_stop',
    'message_delta',
    'message_stop',
    'success',
  ]);
});

test('the same prompt costs the same each time, and more with each reply', async () => {
  const [first, second] = await Promise.all([said(turnOf('/echo abcd')), said(turnOf('/echo abcd'))]);
  expect(endOf(first)).toEqual(endOf(second));
  expect(endOf(first)).toMatchObject({
    usage: { input_tokens: 3, output_tokens: 1 },
    modelUsage: { reference: { inputTokens: 3, outputTokens: 1 } },
  });
  const longer = endOf(await said(turnOf('/echo abcd\n/echo abcd')));
  expect(Number(longer?.['total_cost_usd'])).toBeGreaterThan(Number(endOf(first)?.['total_cost_usd']));
});

describe('a limit', () => {
  test('of costs keeps a call from being made whose reply spends it', async () => {
    const messages = await said(turnOf(`/bash echo ${'x'.repeat(2000)}`), { maxBudgetUsd: 0.01 });
    expect(messages.filter(({ type }) => type !== 'stream_event').map(({ type }) => type)).toEqual([
      'assistant',
      'result',
    ]);
    expect(endOf(messages)).toMatchObject({ subtype: 'error_max_budget_usd', stop_reason: 'tool_use' });
  });

  test('of replies ends the turn before the reply that would exceed the limit', async () => {
    const messages = await said(turnOf('/bash echo a'), { maxTurns: 1 });
    expect(textsOf(messages)).toEqual([]);
    expect(endOf(messages)).toMatchObject({
      subtype: 'error_max_turns',
      is_error: true,
      terminal_reason: 'max_turns',
      stop_reason: 'tool_use',
      errors: ['Reached maximum number of turns (1)'],
    });
  });

  test('of replies counts those before a hook continued the turn', async () => {
    const { runTurn } = createReferenceAgent({ maxTurns: 2 });
    const ends: unknown[] = [];
    for (const isContinued of [false, true, true, false])
      for await (const message of runTurn(turnOf('/echo a', { isContinued })))
        if (message.type === 'result') ends.push(message['subtype']);
    expect(ends).toEqual(['success', 'success', 'error_max_turns', 'success']);
  });

  test('of costs ends the turn with the reply that spends it', async () => {
    const messages = await said(turnOf('/echo a\n/big 8000\n/echo b'), { maxBudgetUsd: 0.01 });
    expect(textsOf(messages).map(({ length }) => length)).toEqual([1, 8000]);
    expect(endOf(messages)).toMatchObject({
      subtype: 'error_max_budget_usd',
      terminal_reason: 'budget_exhausted',
      errors: ['Reached maximum budget ($0.01)'],
    });
  });
});

test('an abort ends /slow within one piece, with what there was marked as aborted', async () => {
  const controller = new AbortController();
  let abortedAt = 0;
  const messages = await said(turnOf('/slow 60\n/echo never', { signal: controller.signal }), {}, (message) => {
    if (pieceOf(message) !== '3 ') return;
    abortedAt = performance.now();
    controller.abort();
  });
  expect(textsOf(messages)).toEqual(['1 2 3 ']);
  expect(messages.find(({ type }) => type === 'assistant')).toMatchObject({ aborted: true });
  // Without the abort, the turn would take 60 s.
  expect(performance.now() - abortedAt).toBeLessThan(5000);
});
