import type { Turn, WireMessage } from '@proto/core';
import { describe, expect, test } from 'vitest';
import { runTurn } from './run-turn.ts';

function turnOf(prompt: Turn['prompt'], signal: AbortSignal = new AbortController().signal): Turn {
  const unused = () => Promise.reject(new Error('not expected'));
  const turn: Partial<Turn> = {
    prompt,
    signal,
    promptUuid: undefined,
    sessionId: 's',
    history: [],
    emit: unused,
    request: unused,
    canUseTool: unused,
  };
  return turn as Turn;
}

/** What the tests look at in a message of this agent. */
interface Said extends WireMessage {
  readonly message?: { readonly content: readonly { readonly text: string }[] };
  readonly event?: { readonly type: string; readonly delta?: { readonly text?: string } };
}

async function messagesOf(turn: Turn, onMessage: (message: Said) => void = () => {}): Promise<readonly Said[]> {
  const messages: Said[] = [];
  for await (const message of runTurn(turn)) {
    messages.push(message);
    onMessage(message);
  }
  return messages;
}

const pieceOf = ({ event }: Said) => event?.delta?.text ?? '';
const textsOf = (messages: readonly Said[]) =>
  messages.filter(({ type }) => type === 'assistant').map(({ message }) => message?.content[0]?.text);
const streamedOf = (messages: readonly Said[]) => messages.map(pieceOf).join('');

describe('a prompt', () => {
  test('is a list of commands, one a line; other lines are answered as text', async () => {
    const messages = await messagesOf(turnOf('/echo one two\n\nhello there\n/slow 0'));
    expect(textsOf(messages)).toEqual(['one two', 'You said: hello there', 'done']);
    expect(streamedOf(messages)).toBe('one twoYou said: hello theredone');
  });

  test('may be content blocks', async () => {
    const blocks = [{ type: 'text', text: '/echo a' }, { type: 'image' }, { type: 'text', text: '/echo b' }];
    expect(textsOf(await messagesOf(turnOf(blocks)))).toEqual(['a', 'b']);
  });

  test('with a bad argument fails the turn', async () => {
    await expect(messagesOf(turnOf('/slow soon'))).rejects.toThrow("/slow takes a number of seconds, not 'soon'");
  });
});

test('a reply keeps the order of real agents: the whole message ahead of the end of its block', async () => {
  const messages = await messagesOf(turnOf('/echo a b'));
  expect(messages.map(({ type, event }) => event?.type ?? type)).toEqual([
    'message_start',
    'content_block_start',
    'content_block_delta',
    'content_block_delta',
    'assistant',
    'content_block_stop',
    'message_delta',
    'message_stop',
  ]);
});

test('an abort ends /slow within one piece, with what there was marked as aborted', async () => {
  const controller = new AbortController();
  let abortedAt = 0;
  const messages = await messagesOf(turnOf('/slow 60\n/echo never', controller.signal), (message) => {
    if (pieceOf(message) !== '3 ') return;
    abortedAt = performance.now();
    controller.abort();
  });
  expect(textsOf(messages)).toEqual(['1 2 3 ']);
  expect(messages.find(({ type }) => type === 'assistant')).toMatchObject({ aborted: true });
  // Sixty seconds without the abort; the bound only tells that it was heard.
  expect(performance.now() - abortedAt).toBeLessThan(5000);
});
