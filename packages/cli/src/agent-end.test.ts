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

const typesIn = (stdout: string) => messagesIn(stdout).map(({ type }) => type);
const QUIET = { code: 0, stderr: '', signal: null };

describe.concurrent('the end of stdin', { timeout: 60_000 }, () => {
  test('before any message ends the agent without output', async () => {
    expect(await run(AGENT, STREAM)).toEqual({ stdout: '', stderr: '', code: 0 });
  });

  test('while the agent is idle ends the agent, with 1 when the last result was an error', async () => {
    for (const [text, code] of [
      ['/echo hi', 0],
      ['/slow soon', 1],
    ] as const) {
      const child = start(AGENT, STREAM);
      child.stdin.write(prompt(text));
      await readUntil(child, '"result"');
      expect(await outcomeOf(child, '')).toMatchObject({ ...QUIET, code, stdout: '' });
    }
  });

  test('directly after a prompt waits for its result, and after a request for its answer', async () => {
    const { stdout, code } = await run(AGENT, STREAM, prompt('/slow 0\n/echo hi'));
    expect({ code, last: messagesIn(stdout).at(-1) }).toMatchObject({ code: 0, last: { result: 'hi' } });
    const asked = await run(AGENT, STREAM, request('initialize'));
    expect({ ...asked, stdout: typesIn(asked.stdout) }).toEqual({ code: 0, stderr: '', stdout: ['control_response'] });
  });

  test('denies an open permission request; the turn continues, and the request is not cancelled', async () => {
    const child = start(AGENT, [...STREAM, '--permission-prompt-tool=stdio']);
    child.stdin.write(prompt('/ask Which?|A|B'));
    await readUntil(child, '"can_use_tool"');
    const { stdout, ...rest } = await outcomeOf(child, '');
    expect(rest).toEqual(QUIET);
    const messages = messagesIn(stdout);
    expect(messages.map(({ type }) => type)).not.toContain('control_cancel_request');
    const failed = { type: 'tool_result', is_error: true };
    expect(messages.find(({ type }) => type === 'user')).toMatchObject({ message: { content: [failed] } });
    expect(messages.at(-1)).toMatchObject({ type: 'result', subtype: 'success', is_error: false });
  });

  test('counts as a refusal by an open hook, and the turn continues', async () => {
    const hooks = { PreToolUse: [{ matcher: 'AskUserQuestion', hookCallbackIds: ['hook_0'] }] };
    const child = start(AGENT, [...STREAM, '--permission-prompt-tool=stdio']);
    child.stdin.write(request('initialize', { hooks }) + prompt('/ask Which?|A|B'));
    await readUntil(child, '"hook_callback"');
    const { stdout, ...rest } = await outcomeOf(child, '');
    expect(rest).toEqual(QUIET);
    const failed = { type: 'tool_result', is_error: true };
    expect(messagesIn(stdout).find(({ type }) => type === 'user')).toMatchObject({ message: { content: [failed] } });
    expect(messagesIn(stdout).at(-1)).toMatchObject({ type: 'result', subtype: 'success' });
  });
});

describe.concurrent('a single prompt', { timeout: 60_000 }, () => {
  test.each([
    ['text', ['-p', '/echo hi'], '', 'hi\n', 0],
    ['text, the prompt on stdin', ['-p'], '/echo hi', 'hi\n', 0],
    ['text, of a turn that failed', ['-p', '/slow soon'], '', 'Execution error', 1],
  ] as const)('writes %s', async (_, argv, input, stdout, code) => {
    expect(await run(AGENT, argv, input)).toEqual({ stdout, stderr: '', code });
  });

  test.each([
    [['--output-format', 'json'], ['result']],
    [
      ['--output-format', 'json', '--verbose'],
      ['system', 'assistant', 'result'],
    ],
    [
      ['--output-format', 'stream-json', '--verbose'],
      ['system', 'assistant', 'result'],
    ],
  ])('writes the messages of the format with %j', async (flags, types) => {
    const { stdout, stderr, code } = await run(AGENT, ['-p', '/echo hi', ...flags]);
    const values = stdout
      .trimEnd()
      .split('\n')
      .flatMap((text) => JSON.parse(text) as { type: string } | { type: string }[]);
    expect({ stderr, code, types: values.flat().map(({ type }) => type) }).toEqual({ stderr: '', code: 0, types });
  });

  test('with an open, silent stdin causes a warning and continues', async () => {
    const child = start(AGENT, ['-p', '/echo hi']);
    const { stdout, stderr, code } = await outcomeOf(child);
    expect({ stdout, code }).toEqual({ stdout: 'hi\n', code: 0 });
    expect(stderr).toMatch(/^Warning: no stdin data received in 3s.*\n$/);
  });

  test.each([
    [['-p'], /^Error: Input must be provided/],
    [
      ['-p', 'x', '--output-format', 'stream-json'],
      /^Error: When using --print, --output-format=stream-json requires --verbose/,
    ],
    [['--input-format', 'stream-json', '--output-format', 'text'], /^Error: --input-format=stream-json requires/],
    [['-p', 'x', '--replay-user-messages'], /^Error: --replay-user-messages requires/],
    [['-p', 'x', '--include-partial-messages'], /^Error: --include-partial-messages requires/],
    [[...STREAM, '--session-id', 'not-a-uuid'], /^Error: Invalid session ID\. Must be a valid UUID\.\n$/],
    [[...STREAM, '--x'], /^error: unknown option '--x'\n$/],
  ])('%j is refused in one line', async (argv, problem) => {
    const { stdout, stderr, code } = await run(AGENT, argv);
    expect({ stdout, code }).toEqual({ stdout: '', code: 1 });
    expect(stderr).toMatch(problem);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });
});

test('a host that stops reading for a while receives all messages in order', async () => {
  const child = start(AGENT, STREAM);
  const texts = Array.from({ length: 300 }, (_, n) => `${n} ${'x'.repeat(2000)}`);
  child.stdin.end(texts.map((text) => prompt(`/echo ${text}`)).join('') + line({ type: 'keep_alive' }));
  child.stdout.pause();
  await new Promise((resolve) => setTimeout(resolve, 3000));
  const { stdout, ...rest } = await outcomeOf(child);
  expect(rest).toEqual(QUIET);
  expect(said(stdout)).toEqual(texts);
}, 30_000);

function said(stdout: string): readonly string[] {
  const replies = messagesIn(stdout).filter(({ type }) => type === 'assistant');
  return replies.map(({ message }) => (message as { content: readonly { text: string }[] }).content[0]?.text ?? '');
}
