import { encodeLine } from '@proto/core/framing';
import { describe, expect, test } from 'vitest';
import {
  AGENT,
  line,
  messagesIn,
  outcomeOf,
  prompt,
  readUntil,
  request,
  run,
  start,
  STREAM,
} from './bins.test-support.ts';

// These tests start many processes at once.
const LIMIT = { timeout: 60_000 };
const AFTER = prompt('/echo after');
const ONE = '{"type":"user","message":{"role":"user","content":"/echo one"}}';

/** Runs the agent on an input. Returns its results and its answers to requests. */
async function reactTo(input: string | Uint8Array, flags: readonly string[] = []) {
  const { stdout, stderr, code } = await run(AGENT, [...STREAM, ...flags], input);
  const messages = messagesIn(stdout);
  const results = messages.filter(({ type }) => type === 'result').map(({ result }) => result);
  const answers = messages.filter(({ type }) => type === 'control_response').map(({ response }) => response);
  return { code, stderr, results, answers, messages };
}

const QUIET = { code: 0, stderr: '' };
const bytes = (text: string) => new TextEncoder().encode(text);

describe.concurrent('the agent accepts a line on stdin', LIMIT, () => {
  test.each<[string, string | Uint8Array, readonly unknown[]]>([
    ['with CR LF', `${ONE}\r\n${AFTER}`, ['one', 'after']],
    ['without LF, at the end', ONE, ['one']],
    ['with U+2028 and U+2029 as they are', `${ONE.replace('one', 'o\u2028n\u2029e')}\n`, ['o\u2028n\u2029e']],
    ['after a BOM', `\ufeff${ONE}\n`, ['one']],
    ['with invalid UTF-8', bytes(`${ONE}\n`).with(ONE.indexOf('one'), 0xff), ['\ufffdne']],
    ['of another session', prompt('/echo one', { session_id: 'other' }), ['one']],
    ['without content', '{"type":"user","message":{"role":"user"}}\n', ['You said nothing.']],
    ['with empty content', prompt([]), ['You said nothing.']],
    ['as context only', prompt('/echo one', { shouldQuery: false }) + AFTER, ['', 'after']],
    // The line is longer than the default limit of the framing.
    ['of 80 MB', prompt(`/echo ${'x'.repeat(100)}\n${' '.repeat(80_000_000)}`), ['x'.repeat(100)]],
  ])('%s', async (_, input, results) => {
    expect(await reactTo(input)).toMatchObject({ ...QUIET, results });
  });

  test('written one byte at a time', async () => {
    const child = start(AGENT, STREAM);
    const outcome = outcomeOf(child);
    for (const byte of bytes(prompt('/echo é€😀'))) {
      child.stdin.write(Uint8Array.of(byte));
      await new Promise((resolve) => setImmediate(resolve));
    }
    child.stdin.end();
    const { stdout, code } = await outcome;
    expect({ code, last: messagesIn(stdout).at(-1) }).toMatchObject({ code: 0, last: { result: 'é€😀' } });
  });

  test('once for each uuid, and with replay every copy is echoed', async () => {
    const twice = prompt('/echo one', { uuid: '11111111-1111-4111-8111-111111111111' }).repeat(2);
    expect(await reactTo(twice)).toMatchObject({ ...QUIET, results: ['one'] });
    const { messages, results } = await reactTo(twice, ['--replay-user-messages']);
    expect(results).toEqual(['one']);
    expect(messages.filter(({ isReplay }) => isReplay === true)).toHaveLength(2);
  });
});

describe.concurrent('the agent silently ignores a line on stdin', LIMIT, () => {
  test.each([
    ['blank', ''],
    ['spaces and a tab', '  \t '],
    ['a lone CR', '\r'],
    ['a number', '42'],
    ['a string', '"s"'],
    ['an array', '[]'],
    ['no type', '{"a":1}'],
    ['an unknown type', '{"type":"moon_rise"}'],
    ['a system message', '{"type":"system","subtype":"init"}'],
    ['an assistant message', '{"type":"assistant","message":{"role":"assistant","content":[]}}'],
    ['an unexpected answer', '{"type":"control_response","response":{"subtype":"success","request_id":"x"}}'],
    ['an answer without response', '{"type":"control_response"}'],
    ['an unexpected cancel', '{"type":"control_cancel_request","request_id":"x"}'],
    ['a keep_alive', '{"type":"keep_alive"}'],
    ['environment variables', '{"type":"update_environment_variables","variables":{"PATH":"/nowhere","A":"b"}}'],
    ['environment variables without `variables`', '{"type":"update_environment_variables"}'],
  ])('%s', async (_, text) => {
    const { messages, ...rest } = await reactTo(`${text}\n${AFTER}`);
    expect(rest).toMatchObject({ ...QUIET, results: ['after'], answers: [] });
    expect(messages.map(({ type }) => type)).toEqual(['system', 'assistant', 'result']);
  });
});

describe.concurrent('a bad line on stdin ends the agent with 1, one stderr line and nothing on stdout', LIMIT, () => {
  const parsing = (type: string, chars: number, error = 'SyntaxError') =>
    `Error parsing streaming input line (type=${type}, ${chars} chars): ${error}`;

  test.each([
    ['text', 'this is not json', parsing('unknown', 16)],
    ['an incomplete object', '{"type":"user","message":', parsing('user', 25)],
    ['two objects', '{"type":"keep_alive"}{"type":"keep_alive"}', parsing('keep_alive', 42)],
    ['a raw NUL', ONE.replace('one', '\0'), parsing('user', ONE.length - 2)],
    ['null', 'null', parsing('unknown', 4, 'TypeError')],
    [
      'another role',
      '{"type":"user","message":{"role":"system"}}',
      "Error: Expected message role 'user', got 'system'",
    ],
    ['no message', '{"type":"user"}', "Error: Expected message role 'user', got 'undefined'"],
    ['no request', '{"type":"control_request","request_id":"1"}', 'Error: Missing request on control_request'],
  ])('%s', async (_, text, problem) => {
    // The input stays open: the agent exits on its own.
    const child = start(AGENT, STREAM);
    child.stdin.write(`${text}\n${AFTER}`);
    expect(await outcomeOf(child)).toEqual({ code: 1, signal: null, stdout: '', stderr: `${problem}\n` });
  });

  test('during a turn, without a result', async () => {
    const child = start(AGENT, [...STREAM, '--include-partial-messages']);
    child.stdin.write(prompt('/slow 60'));
    await readUntil(child, 'text_delta');
    child.stdin.write('no json\n');
    const { stdout, stderr, code } = await outcomeOf(child);
    expect({ code, stderr }).toEqual({ code: 1, stderr: `${parsing('unknown', 7)}\n` });
    expect(stdout).not.toContain('"result"');
  });

  test('above the size limit, with the limit in the message', async () => {
    const child = start(AGENT, STREAM);
    const outcome = outcomeOf(child);
    const chunk = 'x'.repeat(1024 * 1024);
    for (let sent = 0; sent <= 256 && child.exitCode === null; sent++) {
      if (child.stdin.write(chunk)) continue;
      await new Promise<unknown>((resolve) => {
        child.once('exit', resolve);
        child.stdin.once('drain', () => child.off('exit', resolve) && resolve(undefined));
      });
    }
    child.stdin.end('\n');
    const { stdout, stderr, code } = await outcome;
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^Error: .*268435456.*\n$/);
  });
});

describe.concurrent('the agent answers a request on stdin', LIMIT, () => {
  const refused = { subtype: 'error', error_code: 'unsupported_request' };

  test.each([
    ['without a subtype', request(undefined as never), [{ ...refused, request_id: '1' }]],
    ['with an unknown subtype', request('moon_rise'), [{ ...refused, request_id: '1' }]],
    ['that only agents send', request('can_use_tool'), [{ ...refused, request_id: '1' }]],
    ['to run a hook', request('hook_callback'), [{ ...refused, request_id: '1' }]],
    ['twice under one id', request('mcp_status').repeat(2), [{ request_id: '1' }, { request_id: '1' }]],
    ['with a wrong argument', request('set_permission_mode', { mode: 7 }), [{ subtype: 'error', request_id: '1' }]],
    ['to end, with EOF', request('end_session'), [{ subtype: 'success' }]],
    ['to initialize, a second time', request('initialize').repeat(2), [{ subtype: 'success' }, { subtype: 'success' }]],
  ])('%s', async (_, input, answers) => {
    expect(await reactTo(input)).toMatchObject({ ...QUIET, answers, results: [] });
  });

  test('without an id, with an answer without an id', async () => {
    const { answers } = await reactTo(encodeLine({ type: 'control_request', request: { subtype: 'moon_rise' } }));
    expect(answers).toEqual([{ ...refused, error: expect.any(String) }]);
  });

  test('before initialize, or without it', async () => {
    const { answers, results } = await reactTo(request('mcp_status') + ONE + '\n' + request('initialize'));
    expect({ answers, results }).toMatchObject({
      answers: [{ subtype: 'success' }, { subtype: 'success' }],
      results: ['one'],
    });
  });
});

test('the agent ignores a second answer to its question', async () => {
  const child = start(AGENT, [...STREAM, '--permission-prompt-tool=stdio']);
  child.stdin.write(prompt('/ask which|a|b'));
  const asked = messagesIn(await readUntil(child, 'can_use_tool'));
  const question = asked.find(({ type }) => type === 'control_request');
  const { input } = (question?.['request'] ?? {}) as { input: { questions: readonly { question: string }[] } };
  const answer = (label: string) =>
    line({
      type: 'control_response',
      response: {
        subtype: 'success',
        request_id: question?.['request_id'],
        response: {
          behavior: 'allow',
          updatedInput: { ...input, answers: { [String(input.questions[0]?.question)]: label } },
        },
      },
    });
  const { stdout, code } = await outcomeOf(child, answer('a') + answer('b'));
  const results = messagesIn(stdout).filter(({ type }) => type === 'result');
  expect({ code, results }).toMatchObject({ code: 0, results: [{ result: 'The answer to "which" is "a".' }] });
});
