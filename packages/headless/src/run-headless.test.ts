import { PassThrough } from 'node:stream';
import type { RunTurn } from '@proto/core';
import { describe, expect, test } from 'vitest';
import { runHeadless } from './run-headless.ts';

const STREAM = ['--output-format=stream-json', '--input-format=stream-json', '--verbose'];

const answer: RunTurn = async function* ({ prompt }) {
  if (prompt === 'fail') throw new Error('no');
  yield {
    type: 'assistant',
    message: { id: 'm1', role: 'assistant', content: [{ type: 'text', text: 'ok' }] },
    parent_tool_use_id: null,
  };
};

/** Runs an agent on some input to its end. */
async function run(argv: readonly string[], input: string) {
  const stdin = new PassThrough();
  stdin.end(input);
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  const written = { stdout: '', stderr: '' };
  // By hand: bad input ends the output in the middle, which a consumer of whole streams takes for an error.
  stdout.on('data', (chunk: Buffer) => (written.stdout += chunk.toString()));
  stderr.on('data', (chunk: Buffer) => (written.stderr += chunk.toString()));
  const code = await new Promise<number>((exit) => {
    void runHeadless({ runTurn: answer, name: 'test', argv, stdin, stdout, stderr, exit });
  });
  return { code, frames: written.stdout.split('\n'), stderr: written.stderr };
}

const user = (content: string, role = 'user') => `${JSON.stringify({ type: 'user', message: { role, content } })}\n`;

describe('an agent executable', () => {
  test('answers each prompt and exits with 0 at the end of its input', async () => {
    const { code, frames, stderr } = await run([...STREAM, '--model=m'], user('one') + user('two'));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const messages = frames.filter((line) => line !== '').map((line) => JSON.parse(line));
    expect(messages.map(({ type }) => type)).toEqual([
      'system',
      'assistant',
      'result',
      'system',
      'assistant',
      'result',
    ]);
    expect(messages[0]).toMatchObject({ model: 'm', cwd: process.cwd() });
  });

  test('exits with 1 when its last result is an error', async () => {
    expect(await run(STREAM, user('one') + user('fail'))).toMatchObject({ code: 1, stderr: '' });
    expect(await run(STREAM, user('fail') + user('one'))).toMatchObject({ code: 0, stderr: '' });
  });

  test.each([
    ['text', 'hello\n', /^Error parsing streaming input line \(type=unknown, 5 chars\): SyntaxError/],
    ['null', 'null\n', /\(type=unknown, 4 chars\): TypeError/],
    ['another role', user('x', 'assistant'), /Expected message role 'user', got 'assistant'/],
    [
      'a request without request',
      '{"type":"control_request","request_id":"1"}\n',
      /^Error: Missing request on control_request/,
    ],
  ])('exits with 1 and one line on stderr at %s', async (_, input, problem) => {
    const { code, frames, stderr } = await run(STREAM, input);
    expect(code).toBe(1);
    expect(frames).toEqual(['']);
    expect(stderr).toMatch(problem);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(stderr).not.toContain('hello');
  });

  test('tells its version, and refuses what it does not know, before any frame', async () => {
    expect(await run(['-v'], '')).toEqual({
      code: 0,
      frames: [expect.stringMatching(/^\d+\.\d+\.\d+ \(test\)$/), ''],
      stderr: '',
    });
    expect(await run(['--nonsense'], '')).toMatchObject({
      code: 1,
      frames: [''],
      stderr: expect.stringContaining('--nonsense'),
    });
  });
});
