import { flattenIncoming, type Transport } from '@proto/core/transport';
import { parseRecording } from '@proto/recording';
import { verifies } from '@proto/test-support/verifies';
import { describe, expect, test } from 'vitest';

import { createVirtualClock } from './fake-clock.ts';
import { createFakeAgent, createFakeHost, type FakeOptions } from './fake.ts';
import { type FakeScript, parseFakeScript } from './fake-script.ts';

type Members = Readonly<Record<string, unknown>>;

const PROMPT = { type: 'user', message: { role: 'user', content: 'Hello' }, parent_tool_use_id: null };
const INITIALIZE = { type: 'control_request', request_id: 'r1', request: { subtype: 'initialize' } };
const TURN = '- expect-prompt: Hello\n- turn: Grüße 日本\n';

/** Sends messages, as a program under test does. */
async function say(transport: Transport, ...messages: readonly unknown[]): Promise<void> {
  const texts = messages.map((message) => JSON.stringify(message));
  const text = texts.map((line) => `${line}\n`).join('');
  const outgoing = texts.map((line) => ({ text: line, id: undefined, ephemeral: false }));
  await transport.send({ count: texts.length, text, messages: () => outgoing.values() });
}

/** Reads the next message. */
async function nextMessage(arriving: ReturnType<typeof flattenIncoming>): Promise<Members> {
  const { value } = await arriving.next();
  if (value?.kind !== 'message') throw new Error(`no message: ${JSON.stringify(value)}`);
  return value.read().message ?? { text: value.text };
}

/** Reads all messages up to the end, and returns them with the way in which the transport ended. */
async function allMessages(transport: Transport): Promise<{ received: Members[]; error: unknown }> {
  const received: Members[] = [];
  try {
    for await (const item of flattenIncoming(transport.incoming))
      if (item.kind === 'message') received.push(item.read().message ?? { text: item.text });
  } catch (error) {
    return { received, error };
  }
  return { received, error: undefined };
}

/** Sends one prompt and ends the host's side. Returns the agent's messages. */
async function runTurn(options: FakeOptions, script: FakeScript = parseFakeScript(TURN, 'agent')) {
  const { transport, done } = createFakeAgent(script, options);
  const all = allMessages(transport);
  await say(transport, INITIALIZE, PROMPT);
  await transport.end();
  const end = await done;
  return { ...(await all), end };
}

const kindOf = ({ type = 'noise', subtype }: Members) => [type, subtype].filter(Boolean).join('/');

describe('a fake agent', () => {
  verifies('TEST-1', 'plays the steps of a script to a host, and answers initialize', async () => {
    const { received, error, end } = await runTurn({});
    expect(received.map(kindOf)).toEqual(['control_response', 'system/init', 'assistant', 'result/success']);
    expect(received[0]).toMatchObject({
      response: { subtype: 'success', request_id: 'r1', response: { models: [{}] } },
    });
    expect(received[2]).toMatchObject({ message: { content: [{ type: 'text', text: 'Grüße 日本' }] } });
    expect({ error, end }).toEqual({ error: undefined, end: { by: 'script', exitCode: 0 } });
  });

  test('asks a question, and continues after the answer', async () => {
    const script = parseFakeScript(
      `
- expect-prompt: Hello
- request: { subtype: can_use_tool, tool_name: Bash, input: {}, tool_use_id: t1 }
  as: ask
- expect-answer: ask
  with: { behavior: deny }
- turn: Not done.
- exit: 3
`,
      'agent',
    );
    const { transport, done } = createFakeAgent(script);
    const arriving = flattenIncoming(transport.incoming);
    await say(transport, PROMPT);
    const asked = await nextMessage(arriving);
    const response = { subtype: 'success', request_id: asked['request_id'], response: { behavior: 'deny' } };
    await say(transport, { type: 'control_response', response });
    expect(kindOf(await nextMessage(arriving))).toBe('system/init');
    expect(await done).toEqual({ by: 'script', exitCode: 3 });
  });

  test('says which step failed, and breaks the transport', async () => {
    const { transport, done } = createFakeAgent([{ 'expect-prompt': 'Goodbye' }]);
    const all = allMessages(transport);
    await say(transport, PROMPT);
    await transport.end();
    await expect(done).rejects.toThrow(/^Step 1 \(expect-prompt\): .*expected .*"Goodbye"/s);
    expect((await all).error).toMatchObject({ code: 'lost' });
  });
});

verifies('TEST-1', 'a fake host plays the steps of a script to an agent', async () => {
  const script = [
    { request: { subtype: 'initialize' }, as: 'hello' },
    { 'expect-answer': 'hello' },
    { serve: { can_use_tool: { behavior: 'allow', updatedInput: '${served.request.input}' } } },
    { prompt: 'Hello' },
    { expect: { type: 'result' } },
  ];
  const { transport, done } = createFakeHost(script);
  const arriving = flattenIncoming(transport.incoming);
  const { request_id } = await nextMessage(arriving);
  await say(transport, { type: 'control_response', response: { subtype: 'success', request_id, response: {} } });
  expect(await nextMessage(arriving)).toMatchObject({ type: 'user', message: { content: 'Hello' } });
  const request = { subtype: 'can_use_tool', tool_name: 'Bash', input: { command: 'ls' }, tool_use_id: 't1' };
  await say(transport, { type: 'control_request', request_id: 'q1', request });
  const allowed = { behavior: 'allow', updatedInput: { command: 'ls' } };
  expect(await nextMessage(arriving)).toMatchObject({ response: { request_id: 'q1', response: allowed } });
  await say(transport, { type: 'result', subtype: 'success' });
  // The script has ended, and the host has ended the agent's input.
  expect((await arriving.next()).done).toBe(true);
  await transport.close();
  expect(await done).toEqual({ by: 'script', exitCode: 0 });
});

verifies('TEST-1', 'a recording is a script, for either side', async () => {
  const line = (dir: string, message: unknown) => JSON.stringify({ t: 0, dir, line: JSON.stringify(message) });
  const text = [
    '{"recording":1,"side":"host","redacted":false}',
    line('from-host', PROMPT),
    line('from-agent', { type: 'result', subtype: 'success' }),
  ].join('\n');
  const script = parseFakeScript(text, 'agent');
  expect(script).toEqual(parseRecording(text));
  const agent = createFakeAgent(script);
  const arriving = flattenIncoming(agent.transport.incoming);
  await say(agent.transport, PROMPT);
  expect(await nextMessage(arriving)).toEqual({ type: 'result', subtype: 'success' });
  await agent.done;
  const host = createFakeHost(script);
  expect(await nextMessage(flattenIncoming(host.transport.incoming))).toEqual(PROMPT);
  await say(host.transport, { type: 'result', subtype: 'error_during_execution' });
  await expect(host.done).rejects.toThrow('diverges');
});

describe('chaos', () => {
  const SEEDS = Array.from({ length: 40 }, (_, at) => at + 1);

  verifies('TEST-1', 'of one seed does the same each time, and takes nothing away', async () => {
    const clean = ['control_response', 'system/init', 'assistant', 'result/success'];
    const shapes = new Set<string>();
    for (const seed of SEEDS) {
      const kinds = (await runTurn({ seed, chaos: true })).received.map(kindOf);
      expect((await runTurn({ seed, chaos: true })).received.map(kindOf)).toEqual(kinds);
      // Chaos adds lines before a message, or repeats the message directly after it.
      const own = kinds.filter((kind) => clean.includes(kind));
      expect(own.filter((kind, at) => kind !== own[at - 1])).toEqual(clean);
      shapes.add(kinds.join(' '));
    }
    expect(shapes.size).toBeGreaterThan(10);
  });

  test('cuts lines within characters, and the characters stay whole', async () => {
    for (const seed of SEEDS) {
      const { received } = await runTurn({ seed, chaos: ['split'] });
      expect(received[2]).toMatchObject({ message: { content: [{ text: 'Grüße 日本' }] } });
    }
  });

  test('ends in the middle of a line', async () => {
    let cut = 0;
    for (const seed of SEEDS) {
      const { received, error, end } = await runTurn({ seed, chaos: ['death'] });
      if (end.by === 'script') continue;
      expect(error).toMatchObject({ code: 'lost' });
      expect(received.filter(({ type }) => type === 'result')).toEqual([]);
      cut += 1;
    }
    expect(cut).toBeGreaterThan(5);
  });
});

verifies('TEST-1', 'a script waits on the clock of the test', async () => {
  const clock = createVirtualClock();
  const script = parseFakeScript('- expect-prompt: Hello\n- wait: 60000\n- turn: Late\n', 'agent');
  const { transport, done } = createFakeAgent(script, { clock });
  const received: Members[] = [];
  const all = (async () => {
    for await (const item of flattenIncoming(transport.incoming)) if (item.kind === 'message') received.push({});
  })();
  await say(transport, PROMPT);
  await transport.end();
  await clock.advance(59_999);
  expect(received).toHaveLength(0);
  await clock.advance(1);
  await done;
  await all;
  expect(received).toHaveLength(3);
  expect(clock.now()).toBe(60_000);
});

test('a virtual clock wakes in the order of time', async () => {
  const clock = createVirtualClock();
  const woken: string[] = [];
  const sleep = async (name: string, ...times: readonly number[]) => {
    for (const ms of times) {
      await clock.wait(ms);
      woken.push(`${name} ${clock.now()}`);
    }
  };
  void sleep('a', 10, 10);
  void sleep('b', 5, 10);
  await clock.advance(18);
  expect(woken).toEqual(['b 5', 'a 10', 'b 15']);
  await clock.advance(2);
  expect(woken.at(-1)).toBe('a 20');
});

describe('a script that cannot be played is refused', () => {
  test.each([
    ['a text', 'A script must be a list of steps, or a recording.'],
    ['- sya: {}', 'Step 1: a fake agent has no verb sya.'],
    ['- say: {}\n- turn: a\n  prompt: b', 'Step 2: a step must have one verb, but this step has turn and prompt.'],
    ['- expect: {}\n  untill: {}', 'Step 1: unknown field: untill.'],
    ['- expect: { type: { $contian: a } }', 'Step 1: unknown matcher: $contian.'],
    ['- [', 'Flow sequence'],
    [
      '{"recording":2}',
      'its format has the version 2, but only version 1 is known: use a newer version of this program',
    ],
  ])('%s', (text, message) => {
    expect(() => parseFakeScript(text, 'agent')).toThrow(message);
    expect(() => parseFakeScript(text, 'agent')).toThrow(expect.objectContaining({ name: 'FakeScriptError' }));
  });

  test('a step of the other side', () => {
    expect(() => parseFakeScript('- turn: a', 'host')).toThrow('Step 1: a fake host has no verb turn.');
    expect(() => createFakeHost([{ turn: 'a' }])).toThrow('Step 1');
  });
});

test('the step die ends without a clean end', async () => {
  const { error, end } = await runTurn({}, [{ 'expect-prompt': 'Hello' }, { 'say-text': '{"type":' }, { die: true }]);
  expect(end.by).toBe('death');
  expect(error).toMatchObject({ code: 'lost' });
});
