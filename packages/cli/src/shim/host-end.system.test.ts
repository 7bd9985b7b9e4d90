import { describe, expect, test } from 'vitest';
import { verifies } from '@proto/test-support/verifies';
import { line, messagesIn, outcomeOf, prompt, readUntil, run, SHIM, STREAM } from '../bins.test-support.ts';
import { startServer } from '../serve/serve.test-support.ts';
import { AGENT, start } from '../bins.test-support.ts';
import { QUESTION, started } from './far-agent.test-support.ts';

const ASKED = ['--permission-prompt-tool', 'stdio'];
const LIMIT = { timeout: 20_000 };

/** The control responses that the agent received. */
const answersIn = (said: readonly Record<string, unknown>[]) => said.filter(({ type }) => type === 'control_response');
const denial = {
  response: { subtype: 'success', request_id: QUESTION.request_id, response: { behavior: 'deny' } },
};

describe('the end of the input of a shim', LIMIT, () => {
  test('denies an open permission request', async () => {
    const { said, child } = await started(ASKED, prompt('ask'));
    await readUntil(child, 'can_use_tool');
    const { stdout, code } = await outcomeOf(child, '');
    expect(answersIn(said)).toMatchObject([denial]);
    expect(messagesIn(stdout).at(-1)).toMatchObject({ type: 'result', result: 'done' });
    expect(code).toBe(0);
  });

  test('keeps the answer of the host to a permission request', async () => {
    const { said, child } = await started(ASKED, prompt('ask'));
    await readUntil(child, 'can_use_tool');
    const response = { ...denial.response, response: { behavior: 'allow', updatedInput: {} } };
    const { code } = await outcomeOf(child, line({ type: 'control_response', response }));
    expect(answersIn(said)).toMatchObject([{ response }]);
    expect(code).toBe(0);
  });

  test('also comes with SIGINT, and denies an open permission request', async () => {
    const { said, child } = await started(ASKED, prompt('ask'));
    await readUntil(child, 'can_use_tool');
    child.kill('SIGINT');
    expect((await outcomeOf(child)).code).toBe(0);
    expect(answersIn(said)).toMatchObject([denial]);
  });
});

describe(
  'a bad line on stdin ends the shim like an agent: with 1, one line on stderr, and no result message',
  LIMIT,
  () => {
    const parsing = (type: string, chars: number, error: string) =>
      `Error parsing streaming input line (type=${type}, ${chars} chars): ${error}`;

    test.each([
      ['text', 'this is not json', parsing('unknown', 16, 'SyntaxError')],
      ['null', 'null', parsing('unknown', 4, 'TypeError')],
      [
        'another role',
        '{"type":"user","message":{"role":"system"}}',
        "Error: Expected message role 'user', got 'system'",
      ],
      ['no request', '{"type":"control_request","request_id":"1"}', 'Error: Missing request on control_request'],
    ])('%s', async (_, text, problem) => {
      // The input stays open: the shim exits on its own.
      const { said, child } = await started([], `${text}\n${prompt('hello')}`);
      const { stdout, stderr, code } = await outcomeOf(child);
      expect({ stdout, code, said }).toEqual({ stdout: '', code: 1, said: [] });
      expect(stderr).toContain(`${problem}\n`);
    });

    test('during a turn, which is interrupted', async () => {
      const { said, child } = await started([], prompt('wait'));
      await readUntil(child, 'waiting');
      child.stdin.write('no json\n');
      expect(await outcomeOf(child)).toMatchObject({ stdout: '', code: 1 });
      expect(said.at(-1)).toMatchObject({ type: 'control_request', request: { subtype: 'interrupt' } });
    });

    test.each(['42', '"text"', '[]', '{"a":1}', '{"type":"control_response"}'])(
      'but a line with %s is ignored',
      async (text) => {
        const { child } = await started([], `${text}\n${prompt('hello')}`);
        const { stdout, code } = await outcomeOf(child, '');
        expect(messagesIn(stdout).at(-1)).toMatchObject({ type: 'result', result: 'done' });
        expect(code).toBe(0);
      },
    );
  },
);

describe('a shim with a prompt on the command line', LIMIT, () => {
  test.each([
    ['text', [], 'done\n'],
    ['json', ['--output-format', 'json'], expect.stringMatching(/^\{"type":"result".*"done".*\}\n$/)],
    [
      'json with all messages',
      ['--output-format', 'json', '--verbose'],
      expect.stringMatching(/^\[\{"type":.*"done".*\]\n$/),
    ],
    [
      'stream-json',
      ['--output-format', 'stream-json', '--verbose'],
      expect.stringMatching(/"unheard_of"[^]*"type":"result"/),
    ],
  ])('writes %s', async (_, flags, stdout) => {
    const { said, child } = await started([], undefined, ['-p', 'hello', ...flags]);
    expect(await outcomeOf(child, '')).toMatchObject({ stdout, code: 0 });
    expect(said).toMatchObject([{ type: 'user', message: { role: 'user', content: 'hello' } }]);
  });

  test('appends stdin to the prompt', async () => {
    const { said, child } = await started([], undefined, ['-p', 'hello']);
    await outcomeOf(child, 'more\n');
    expect(said).toMatchObject([{ message: { content: 'hello\nmore\n' } }]);
  });

  test('denies permissions, because no host can be asked', async () => {
    const { said, child } = await started([], undefined, ['-p', 'ask']);
    expect(await outcomeOf(child, '')).toMatchObject({ stdout: 'done\n', code: 0 });
    expect(answersIn(said)).toMatchObject([denial]);
  });

  test('writes nothing to stdout after a signal', async () => {
    const { said, child } = await started([], 'wait\n', ['-p']);
    child.stdin.end();
    await expect.poll(() => said.length).toBe(1);
    child.kill('SIGTERM');
    expect(await outcomeOf(child)).toMatchObject({ stdout: '', code: 143 });
  });

  test('reports a missing prompt on stderr', async () => {
    const { stdout, stderr, code } = await run(SHIM, ['-p'], '', { SJP_SHIM_URL: 'http://127.0.0.1:9/v1' });
    expect({ stdout, code }).toEqual({ stdout: '', code: 1 });
    expect(stderr).toContain('Input must be provided');
  });
});

describe('--replay-user-messages', LIMIT, () => {
  const echoesIn = (stdout: string) => messagesIn(stdout).filter(({ isReplay }) => isReplay === true);

  test('echoes each prompt with an id once, before its result; without the flag it sends no echo', async () => {
    const input = prompt('hello', { uuid: 'mine' });
    const [replayed, silent] = await Promise.all(
      [['--replay-user-messages'], []].map(async (flags) => outcomeOf((await started(flags, input)).child, '')),
    );
    const echo = { type: 'user', message: { role: 'user', content: 'hello' }, parent_tool_use_id: null, uuid: 'mine' };
    expect(echoesIn(replayed?.stdout ?? '')).toMatchObject([{ ...echo, isReplay: true }]);
    const types = messagesIn(replayed?.stdout ?? '').map(({ type }) => type);
    expect(types.indexOf('user')).toBeLessThan(types.indexOf('result'));
    expect(echoesIn(silent?.stdout ?? 'none')).toEqual([]);
  });

  test('does not echo a prompt without an id', async () => {
    const { child } = await started(['--replay-user-messages'], prompt('hello'));
    expect(echoesIn((await outcomeOf(child, '')).stdout)).toEqual([]);
  });

  test('echoes the prompts of other clients through a server, and accepted answers', async () => {
    const server = await startServer(['--dangerously-no-auth', '--', AGENT]);
    const session = await server.newSession();
    const variables = { SJP_SHIM_URL: `${server.base}/v1/code/sessions/${session}` };
    const flags = [...STREAM, '--replay-user-messages', ...ASKED];
    const child = start(SHIM, flags, variables);
    child.stdin.write(prompt('/ask Which? | A | B', { uuid: crypto.randomUUID() }));
    const asked = messagesIn(await readUntil(child, 'can_use_tool')).at(-1) as { request_id?: string };
    const request_id = asked.request_id;
    child.stdin.write(
      line({
        type: 'control_response',
        response: { subtype: 'success', request_id, response: { behavior: 'deny', message: 'no' } },
      }),
    );
    const rest = messagesIn(await readUntil(child, '"type":"result"'));
    expect(rest.filter(({ type }) => type === 'control_response')).toMatchObject([{ response: { request_id } }]);
    await server.say(session, {
      type: 'user',
      message: { role: 'user', content: '/echo other' },
      uuid: crypto.randomUUID(),
    });
    const others = messagesIn(await readUntil(child, '"type":"result"'));
    expect(others.filter(({ isReplay }) => isReplay === true)).toMatchObject([{ message: { content: '/echo other' } }]);
    child.kill('SIGKILL');
  });
});

verifies('FRM-9', 'messages of the shim itself escape U+2028, so that a line reader does not split them', async () => {
  const { stdout } = await run(SHIM, [...STREAM, '--resume=a\u2028b'], '', { SJP_SHIM_URL: 'http://127.0.0.1:9/v1' });
  expect(stdout).toContain('a\\u2028b');
  expect(stdout).not.toContain('\u2028');
});
