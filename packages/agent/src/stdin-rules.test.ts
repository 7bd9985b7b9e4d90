import { createSession } from '@proto/core';
import { createLineDecoder, encodeLine, type WireMessage } from '@proto/core/framing';
import { classifyInput, STDIN_RULES } from '@proto/core/internal';
import { createMemoryPair, defineTransport, incomingLines } from '@proto/core/transport';
import { verifies } from '@proto/test-support/verifies';
import { describe, expect, test } from 'vitest';
import { textOf } from './prompts/prompt.ts';
import { runAgent } from './agent-session.ts';
import type { RunTurn } from './turns/turn.ts';

const MAX_LINE_BYTES = 1000;

const parrot: RunTurn = async function* ({ prompt }) {
  yield { type: 'assistant', message: { role: 'assistant', content: [{ type: 'text', text: textOf(prompt) }] } };
};

/** Runs an agent on chunks of input followed by the end; returns its output and the text of a fatal error. */
async function reactTo(...chunks: (Uint8Array | string)[]) {
  const written: WireMessage[] = [];
  const decoder = createLineDecoder({ maxLineBytes: MAX_LINE_BYTES });
  const transport = defineTransport('test', (control) => {
    control.opened();
    const lines = chunks.flatMap((chunk) => [...decoder.push(chunk)]);
    control.receive(incomingLines([...lines, ...decoder.end()]));
    control.ended();
    return {
      write(batch) {
        for (const { text } of batch.messages()) written.push(JSON.parse(text));
      },
      close: () => control.closed(),
      abort: () => control.closed(),
    };
  });
  const fatal = await runAgent(transport, { runTurn: parrot, session: { id: 's' } }).then(
    () => undefined,
    (error: Error) => error.message,
  );
  const results = written.filter(({ type }) => type === 'result').map(({ result }) => result);
  const answers = written.filter(({ type }) => type === 'control_response').map(({ response }) => response);
  return { fatal, results, answers, written };
}

const user = (content: unknown, members: object = {}) =>
  encodeLine({ type: 'user', message: { role: 'user', content }, ...members });
const AFTER = user('after');
const prompt = '{"type":"user","message":{"role":"user","content":"one"}}';
const bytes = (text: string) => new TextEncoder().encode(text);

describe('the agent reads from its input', () => {
  const invalid = bytes(`${prompt}\n`).with(prompt.indexOf('one'), 0xff);
  const cut = bytes(user('é€😀'));

  test.each<[string, (Uint8Array | string)[], unknown]>([
    ['a line with CR LF', [`${prompt}\r\n`], 'one'],
    ['a last line without LF', [prompt], 'one'],
    ['single bytes that cut characters', Array.from(cut, (byte) => Uint8Array.of(byte)), 'é€😀'],
    ['U+2028 and U+2029 unescaped', [prompt.replace('one', 'o\u2028n\u2029e\\n'), '\n'], 'o\u2028n\u2029e\n'],
    ['a BOM before the object', [Uint8Array.of(0xef, 0xbb, 0xbf), bytes(prompt)], 'one'],
    ['invalid UTF-8 in a string', [invalid], '\ufffdne'],
    ['a prompt of another session', [user('one', { session_id: 'other' })], 'one'],
    ['a prompt without content', ['{"type":"user","message":{"role":"user"}}\n'], ''],
    ['a prompt with empty content', [user([])], ''],
  ])('%s', async (_, chunks, result) => {
    expect(await reactTo(...chunks)).toMatchObject({ fatal: undefined, results: [result] });
  });
});

describe('the agent silently ignores', () => {
  test.each([
    ['a blank line', ''],
    ['spaces and a tab', '  \t '],
    ['a lone CR', '\r'],
    ['a number', '42'],
    ['a string', '"s"'],
    ['an array', '[]'],
    ['an object without type', '{"a":1}'],
    ['an unknown type', '{"type":"moon_rise"}'],
    ['a type with the name of an inherited property', '{"type":"constructor"}'],
    ['a type named like a kind of line', '{"type":"null"}'],
    ['a type named like a bad line', '{"type":"not-json"}'],
    ['a system message', '{"type":"system","subtype":"init"}'],
    ['an unexpected answer', '{"type":"control_response","response":{"subtype":"success","request_id":"x"}}'],
    ['an answer without response', '{"type":"control_response"}'],
    ['a cancel without a running request', '{"type":"control_cancel_request","request_id":"x"}'],
    ['a keep-alive', '{"type":"keep_alive"}'],
    ['environment variables', '{"type":"update_environment_variables","variables":{"A":"b"}}'],
    ['a message without the environment variables', '{"type":"update_environment_variables"}'],
    // A reply enters the history of the agent and causes no output.
    ['a reply', '{"type":"assistant","message":{"role":"assistant","content":[]}}'],
  ])('%s', async (_, line) => {
    expect(await reactTo(`${line}\n`, AFTER)).toMatchObject({ fatal: undefined, results: ['after'], answers: [] });
  });
});

describe('the agent ends without further output after', () => {
  const parsing = (type: string, chars: number, error = 'SyntaxError') =>
    `Error parsing streaming input line (type=${type}, ${chars} chars): ${error}`;

  test.each([
    ['text', 'this is not json', parsing('unknown', 16)],
    ['a cut object', '{"type":"user","message":', parsing('user', 25)],
    ['two objects on one line', '{"type":"keep_alive"}{"type":"keep_alive"}', parsing('keep_alive', 42)],
    ['a raw NUL', '{"type":"user","message":{"role":"user","content":"a\0b"}}', parsing('user', 57)],
    ['a cut line with an unknown type', '{"type":"hunter2",', parsing('unknown', 18)],
    ['null', 'null', parsing('unknown', 4, 'TypeError')],
    ['another role', '{"type":"user","message":{"role":"assistant"}}', "Expected message role 'user', got 'assistant'"],
    [
      'a role that is not a string',
      '{"type":"user","message":{"role":{"toString":1}}}',
      "Expected message role 'user', got 'object'",
    ],
    ['a user message without a message member', '{"type":"user"}', "Expected message role 'user', got 'undefined'"],
    ['a request without request', '{"type":"control_request","request_id":"1"}', 'Missing request on control_request'],
  ])('%s', async (_, line, text) => {
    expect(await reactTo(`${line}\n`, AFTER)).toEqual({ fatal: text, results: [], answers: [], written: [] });
  });

  test('a line above the limit, and names the limit', async () => {
    const { fatal, results } = await reactTo(`"${'x'.repeat(MAX_LINE_BYTES)}"\n`, AFTER);
    expect(fatal).toContain(String(MAX_LINE_BYTES));
    expect(results).toEqual([]);
  });
});

describe('the agent answers', () => {
  const unsupported = (subtype: unknown) => ({
    subtype: 'error',
    error: `Unsupported control request subtype: ${String(subtype)}`,
    error_code: 'unsupported_request',
  });

  test.each([
    ['a request without a subtype', { request_id: '1', request: {} }, [{ ...unsupported(undefined), request_id: '1' }]],
    ['an unknown request', { request_id: '1', request: { subtype: 'x' } }, [{ ...unsupported('x'), request_id: '1' }]],
    ['a request without an id, by an answer without an id', { request: { subtype: 'x' } }, [unsupported('x')]],
    ['a request that only agents send', asking('can_use_tool'), [{ ...unsupported('can_use_tool'), request_id: '1' }]],
    ['a call of a hook', asking('hook_callback'), [{ ...unsupported('hook_callback'), request_id: '1' }]],
    ['an id in camel case', { requestId: '1', request: { subtype: 'x' } }, [{ ...unsupported('x'), request_id: '1' }]],
  ])('%s', async (_, members, answers) => {
    const line = encodeLine({ type: 'control_request', ...members });
    expect(await reactTo(line, AFTER)).toMatchObject({ fatal: undefined, results: ['after'], answers });
  });

  test('each of two requests with one id', async () => {
    const line = encodeLine({ type: 'control_request', ...asking('x') });
    expect((await reactTo(line, line)).answers).toHaveLength(2);
  });
});

verifies('CTL-18', 'both sides answer an unknown request with an error at once, even during a turn', async () => {
  const { host, agent } = createMemoryPair();
  const refusals: unknown[] = [];
  const session = createSession(host);
  const outcome = runAgent(agent, {
    async *runTurn({ request }) {
      refusals.push(await request({ subtype: 'moon_rise' }).catch((error) => error.code));
      refusals.push(await asked.catch((error) => error.code));
      yield { type: 'assistant', message: { role: 'assistant', content: [] } };
    },
  });
  await session.emit({ type: 'user', message: { role: 'user', content: 'go' } });
  const asked = session.request({ subtype: 'moon_set' });
  for await (const item of session) if (item.kind === 'message' && item.message.type === 'result') break;
  await outcome;
  expect(refusals).toEqual(['unsupported_request', 'unsupported_request']);
});

test('a reconnect counts as no input', () => {
  expect(classifyInput({ kind: 'link', state: 'up', attempt: 1 })).toEqual({
    kind: 'unknown-type',
    reaction: 'ignored',
  });
});

test('five kinds of line are fatal', () => {
  const fatal = Object.entries(STDIN_RULES).filter(([, { reaction }]) => reaction === 'fatal');
  expect(fatal.map(([kind]) => kind)).toEqual([
    'not-json',
    'null',
    'too-large',
    'user-of-another-role',
    'control_request-without-request',
  ]);
});

function asking(subtype: string) {
  return { request_id: '1', request: { subtype } };
}

verifies(
  ['FRM-5', 'FRM-19', 'FRM-20', 'CTL-21', 'TRN-6'],
  'blank lines are skipped, and a line that corrupts a transcript ends the agent',
  async () => {
    expect(await reactTo('\n \t\n\r\n', AFTER)).toMatchObject({ fatal: undefined, results: ['after'] });
    for (const line of [
      'no json',
      '{"type":"control_request","request_id":"1"}',
      '{"type":"user","message":{"role":"assistant"}}',
    ]) {
      expect(await reactTo(`${line}\n`, AFTER)).toMatchObject({ fatal: expect.any(String), results: [] });
    }
  },
);
