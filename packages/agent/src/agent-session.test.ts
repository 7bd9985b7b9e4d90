import { verifies } from '@proto/test-support/verifies';
import { describe, expect, test } from 'vitest';
import { agentPeer as setUp, assistant, kinds, untilAborted, user } from './agent-peer.test-support.ts';
import { textOf } from './prompts/prompt.ts';
import type { RunTurn } from './turns/turn.ts';

describe('a turn', () => {
  test('sends an init, the messages of the agent and one result with all members that hosts require', async () => {
    const { session, turn } = setUp();
    await session.emit(user([{ type: 'text', text: 'hello' }]));
    const messages = await turn();
    expect(kinds(messages)).toEqual(['system/init', 'assistant', 'result/success']);
    expect(messages.at(-1)).toMatchObject({
      is_error: false,
      num_turns: 1,
      result: 'hello',
      total_cost_usd: 0,
      permission_denials: [],
    });
    for (const message of messages)
      expect(message).toMatchObject({ session_id: 'session-1', uuid: expect.any(String) });
    expect(new Set(messages.map(({ uuid }) => uuid)).size).toBe(3);
    const dated = messages.filter(({ timestamp }) => typeof timestamp === 'string');
    expect(kinds(dated)).toEqual(['assistant']);
    expect(messages[0]).toMatchObject({ capabilities: expect.arrayContaining(['interrupt_receipt_v1']) });
  });

  test('gives a message that names no subagent to the main thread', async () => {
    const { session, turn } = setUp({
      async *runTurn() {
        yield { type: 'assistant', message: { role: 'assistant', content: [] } };
        yield { type: 'assistant', message: { role: 'assistant', content: [] }, parent_tool_use_id: 'toolu_1' };
        yield { type: 'tool_progress' };
      },
    });
    await session.emit(user('hello'));
    const said = (await turn()).filter(({ type }) => type !== 'system' && type !== 'result');
    expect(said.map((message) => message['parent_tool_use_id'])).toEqual([null, 'toolu_1', undefined]);
  });

  test('calls the callbacks of its owner as methods of their object', async () => {
    const owner = {
      word: 'mine',
      async *runTurn() {
        yield assistant(this.word);
      },
      tools() {
        return [{ name: this.word }];
      },
    };
    const { session, turn } = setUp(owner);
    await session.emit(user('hello'));
    const [init, , result] = await turn();
    expect([init?.['tools'], result?.['result']]).toEqual([['mine'], 'mine']);
  });

  test('sends stream events only if the option asks for them', async () => {
    const { session, turn } = setUp({ output: { partialMessages: true } });
    await session.emit(user('hello'));
    expect(kinds(await turn())).toEqual(['system/init', 'stream_event', 'assistant', 'result/success']);
  });

  test('that throws ends in an error result, and the session goes on', async () => {
    const runTurn: RunTurn = async function* ({ prompt }) {
      if (prompt === 'fail') throw new Error('out of luck');
      yield assistant('fine');
    };
    const { session, turn, outcome } = setUp({ runTurn });
    await session.emit(user('fail'));
    expect((await turn()).at(-1)).toMatchObject({
      subtype: 'error_during_execution',
      is_error: true,
      errors: ['out of luck'],
    });
    await session.emit(user('again'));
    expect((await turn()).at(-1)).toMatchObject({ subtype: 'success', result: 'fine' });
    await session.end();
    await expect(outcome).resolves.toEqual({ isError: false });
  });

  test('that throws a value without a text ends in an error result as well', async () => {
    const runTurn: RunTurn = async function* ({ prompt }) {
      if (prompt === 'fail') throw Object.create(null);
      yield assistant('fine');
    };
    const { session, turn, outcome } = setUp({ runTurn });
    await session.emit(user('fail'));
    expect((await turn()).at(-1)).toMatchObject({ subtype: 'error_during_execution', errors: ['object'] });
    await session.emit(user('again'));
    expect((await turn()).at(-1)).toMatchObject({ subtype: 'success', result: 'fine' });
    await session.end();
    await expect(outcome).resolves.toEqual({ isError: false });
  });

  test('counts its prompt and the user messages on the main thread', async () => {
    const result = (tool_use_id: string, members: object) =>
      user([{ type: 'tool_result', tool_use_id, content: '' }], members);
    const runTurn: RunTurn = async function* () {
      yield assistant('one');
      yield assistant('inner', { parent_tool_use_id: 'tool-1' });
      yield result('tool-2', { parent_tool_use_id: 'tool-1' });
      yield user('an echo', { isReplay: true });
      yield result('tool-1', { parent_tool_use_id: null });
      yield assistant('two');
    };
    const { session, turn } = setUp({ runTurn });
    await session.emit(user('go'));
    expect((await turn()).at(-1)).toMatchObject({ num_turns: 2, result: 'two' });
  });
});

describe('an interrupt', () => {
  test('is acknowledged before the messages that it causes, and the next prompt has its turn', async () => {
    const { session, items, turn } = setUp({ runTurn: untilAborted });
    await session.emit(user('go'));
    await items.next();
    await items.next();
    const order: string[] = [];
    const receipt = session.request({ subtype: 'interrupt' }).then((payload) => {
      order.push('receipt');
      return payload;
    });
    const messages = await turn().finally(() => order.push('result'));
    expect(await receipt).toEqual({ still_queued: [] });
    expect(order).toEqual(['receipt', 'result']);
    expect(kinds(messages)).toEqual(['assistant', 'user', 'result/error_during_execution']);
    expect(messages[1]).toMatchObject({ message: { content: [{ text: '[Request interrupted by user]' }] } });
    expect(messages[2]).toMatchObject({ is_error: true, terminal_reason: 'aborted_streaming' });
    await session.emit(user('next'));
    await items.next();
    await expect(items.next()).resolves.toMatchObject({ value: { message: { type: 'assistant' } } });
  });

  test('while idle is answered and does nothing', async () => {
    const { session, turn } = setUp();
    await expect(session.request({ subtype: 'interrupt' })).resolves.toEqual({ still_queued: [] });
    await session.emit(user('hello'));
    expect((await turn()).at(-1)).toMatchObject({ subtype: 'success' });
  });
});

describe('the input of an agent', () => {
  test('may begin with a prompt, with an initialize, or with several', async () => {
    const { session, turn } = setUp({ initializeResponse: () => ({ models: ['m'] }) });
    await session.emit(user('before'));
    const [first, second] = await Promise.all([
      session.request({ subtype: 'initialize' }),
      session.request({ subtype: 'initialize' }),
    ]);
    expect(first).toMatchObject({ commands: [], output_style: 'default', models: ['m'] });
    expect(second).toEqual(first);
    expect((await turn()).at(-1)).toMatchObject({ result: 'before' });
  });

  verifies(
    ['CTL-17', 'CLI-21', 'CLI-22'],
    'ends the agent only when no turn runs, no prompt waits and no request is being served',
    async () => {
      const log: string[] = [];
      const runTurn: RunTurn = async function* ({ prompt }) {
        log.push(`begin ${textOf(prompt)}`);
        yield assistant(textOf(prompt));
        log.push(`end ${textOf(prompt)}`);
      };
      let answerNow = () => {};
      const slow = async () => {
        await new Promise<void>((resolve) => (answerNow = resolve));
        log.push('answered');
        return { slow: true };
      };
      const { session, turn, outcome } = setUp({ runTurn, handlers: { slow } });
      const answer = session.request({ subtype: 'slow' });
      void session.emit(user('one'));
      void session.emit(user('two'));
      const ended = session.end();
      void outcome.then(() => log.push('left'));
      expect((await turn()).at(-1)).toMatchObject({ result: 'one' });
      expect((await turn()).at(-1)).toMatchObject({ result: 'two' });
      answerNow();
      await expect(answer).resolves.toEqual({ slow: true });
      await ended;
      await outcome;
      expect(log).toEqual(['begin one', 'end one', 'begin two', 'end two', 'answered', 'left']);
    },
  );

  verifies('CLI-20', 'ends the agent after the result of the running turn', async () => {
    let goOn = () => {};
    const runTurn: RunTurn = async function* () {
      yield assistant('working');
      await new Promise<void>((resolve) => (goOn = resolve));
      yield assistant('done');
    };
    const { session, until, turn, outcome } = setUp({ runTurn });
    void session.emit(user('go'));
    await until(({ type }) => type === 'assistant');
    await session.end();
    // The agent has received the end of the input, and has nothing else to wait for.
    await new Promise((resolve) => setImmediate(resolve));
    goOn();
    expect((await turn()).at(-1)).toMatchObject({ type: 'result', result: 'done' });
    await expect(outcome).resolves.toEqual({ isError: false });
  });

  verifies('CLI-22', 'ends the agent without a message if it is empty', async () => {
    const { session, items, outcome } = setUp();
    await session.end();
    await expect(outcome).resolves.toEqual({ isError: false });
    await expect(items.next()).resolves.toMatchObject({ done: true });
  });

  test.each([
    ['another role', { type: 'user', message: { role: 'assistant', content: 'x' } }, /role 'user', got 'assistant'/],
    ['a user message without a message member', { type: 'user' }, /role 'user', got 'undefined'/],
    [
      'a control request without a request',
      { type: 'control_request', request_id: 'r' },
      'Missing request on control_request',
    ],
  ])('with %s ends the agent at once', async (_, message, text) => {
    const { session, outcome } = setUp();
    void session.emit(message);
    await expect(outcome).rejects.toThrow(text);
  });

  test.each([{ type: 'system' }, { type: 'unknown_type' }, { type: 'result' }])('%j has no effect', async (message) => {
    const { session, turn } = setUp();
    await session.emit(message);
    await session.emit(user('hello'));
    expect((await turn()).at(-1)).toMatchObject({ result: 'hello' });
  });
});

verifies('FRM-27', 'keep-alives are ignored', async () => {
  const { session, rest } = setUp();
  void session.emit({ type: 'keep_alive' });
  void session.emit(user('hi'));
  expect(kinds(await rest())).toEqual(['system/init', 'assistant', 'result/success']);
});

test('the outcome is an error if the last result is an error', async () => {
  const runTurn: RunTurn = async function* ({ prompt }) {
    if (prompt === 'x') throw new Error('no');
    yield assistant('never');
  };
  const { session, turn, outcome } = setUp({ runTurn });
  await session.emit(user('x'));
  await turn();
  await session.end();
  await expect(outcome).resolves.toEqual({ isError: true });
});
