import type { AgentHandle } from '@proto/agent';
import { verifies } from '@proto/test-support/verifies';
import { describe, expect, expectTypeOf, test } from 'vitest';
import type { HeadlessOptions, HeadlessTurn } from './flags/options.ts';
import { answer, assistant, messagesIn, run, start, STREAM, user } from './run.test-support.ts';

const typesIn = (stdout: string) => messagesIn(stdout).map(({ type }) => type);

describe('an agent executable', () => {
  verifies('PROGRAM-13', 'answers each line of a stream and exits with 0 at its end', async () => {
    const { code, stdout, stderr } = await run([...STREAM, '--model=m'], user('one') + user('two'));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(typesIn(stdout)).toEqual(['system', 'assistant', 'result', 'system', 'assistant', 'result']);
    expect(messagesIn(stdout)[0]).toMatchObject({ model: 'm', cwd: process.cwd() });
  });

  verifies('CALL-10', 'reads the last line also when it has no line end', async () => {
    const { code, stdout } = await run(STREAM, user('one') + user('two').trimEnd());
    expect({ code, types: typesIn(stdout).slice(3) }).toEqual({ code: 0, types: ['system', 'assistant', 'result'] });
  });

  verifies(
    ['CLI-36', 'CLI-37'],
    'exits with 1 if and only if its last result is an error, in every format',
    async () => {
      expect(await run(STREAM, user('one') + user('fail'))).toMatchObject({ code: 1, stderr: '' });
      expect(await run(STREAM, user('fail') + user('one'))).toMatchObject({ code: 0, stderr: '' });
      for (const format of ['text', 'json']) {
        expect(await run(['-p', 'one', '--output-format', format])).toMatchObject({ code: 0, stderr: '' });
        expect(await run(['-p', 'fail', '--output-format', format])).toMatchObject({ code: 1, stderr: '' });
      }
    },
  );

  verifies('PROGRAM-6', 'writes each stream message at once, not at the end', async () => {
    let goOn = () => {};
    const gate = new Promise<void>((resolve) => (goOn = resolve));
    const { stdin, stdout, written, code } = start(STREAM, {
      async *runTurn() {
        yield assistant('first');
        await gate;
        yield assistant('second');
      },
    });
    stdin.end(user('go'));
    while (!written.stdout.includes('first')) await new Promise((resolve) => stdout.once('data', resolve));
    expect(written.stdout).not.toContain('second');
    goOn();
    expect(await code).toBe(0);
    expect(written.stdout).toContain('second');
  });

  verifies(
    ['PROGRAM-6', 'PROGRAM-15'],
    'runs a single prompt: one input line, the messages up to the result, and exit code 0',
    async () => {
      const { code, stdout } = await run(STREAM, user('one'));
      expect({ code, types: typesIn(stdout) }).toEqual({ code: 0, types: ['system', 'assistant', 'result'] });
      const { stdout: argued } = await run(['--output-format=stream-json', '--verbose', 'one']);
      expect(typesIn(argued)).toEqual(['system', 'assistant', 'result']);
    },
  );

  verifies('PROGRAM-12', 'writes text unless another output format is requested', async () => {
    const { stdout: text } = await run(['-p', 'one']);
    const { stdout: json } = await run(['-p', 'one', '--output-format=json']);
    const { stdout: lines } = await run(['-p', 'one', '--output-format=stream-json', '--verbose']);
    expect(text).toBe('ok\n');
    expect(JSON.parse(json)).toMatchObject({ type: 'result', result: 'ok' });
    expect(json.split('\n')).toHaveLength(2);
    expect(messagesIn(lines)).toHaveLength(3);
  });

  verifies(
    'CALL-11',
    'starts the turn that the handler of an unexpected response requests, also for the last input line',
    async () => {
      const orphan = {
        type: 'control_response',
        response: { subtype: 'success', request_id: 'of an earlier process' },
      };
      let handle: AgentHandle | undefined;
      const { stdin, written, code } = start(STREAM, {
        agentOptions: () => ({
          onStart: (agent) => void (handle = agent),
          async onUnexpectedResponse() {
            await isRead;
            handle?.prepend('go on');
          },
        }),
      });
      const isRead = new Promise((resolve) => stdin.once('close', () => setImmediate(resolve)));
      stdin.end(`${JSON.stringify(orphan)}\n`);
      expect(await code).toBe(0);
      expect(typesIn(written.stdout)).toEqual(['system', 'assistant', 'result']);
    },
  );

  test('rejects requests to the host at once without a host', async () => {
    for (const format of ['text', 'json', 'stream-json']) {
      const { code } = await run(['-p', 'one', '--output-format', format, '--verbose'], '', {
        async *runTurn(turn) {
          const answered = turn.request<unknown>({ subtype: 'can_use_tool' });
          await expect(answered).rejects.toMatchObject({ code: 'closed' });
          yield assistant('denied');
        },
      });
      expect({ format, code }).toEqual({ format, code: 0 });
    }
  });

  verifies('PROGRAM-16', 'passes the parsed command line options to each turn', async () => {
    const seen: HeadlessTurn['options'][] = [];
    const argv = ['-p', 'one', '--max-turns=3', '--max-budget-usd', '1.5', '--allowedTools=Bash(git log:*),Read'];
    await run([...argv, '--json-schema={"type":"object"}', '--resume=abc', '--thinking=adaptive'], '', {
      reads: ['maxTurns', 'maxBudgetUsd', 'jsonSchema'],
      openSession: () => ({ sessionId: crypto.randomUUID(), history: [] }),
      runTurn(turn) {
        seen.push(turn.options);
        return answer(turn);
      },
    });
    expect(seen).toEqual([
      expect.objectContaining({
        print: true,
        prompt: 'one',
        maxTurns: 3,
        maxBudgetUsd: 1.5,
        allowedTools: ['Bash(git log:*)', 'Read'],
        jsonSchema: { type: 'object' },
        resume: 'abc',
        thinking: 'adaptive',
      }),
    ]);
  });

  verifies('PROGRAM-16', 'passes numbers as numbers, lists as lists and JSON as objects', () => {
    expectTypeOf<HeadlessTurn['options']>().toEqualTypeOf<HeadlessOptions>();
    expectTypeOf<HeadlessOptions['maxTurns']>().toEqualTypeOf<number | undefined>();
    expectTypeOf<HeadlessOptions['allowedTools']>().toEqualTypeOf<readonly string[] | undefined>();
    expectTypeOf<HeadlessOptions['jsonSchema']>().toEqualTypeOf<Readonly<Record<string, unknown>> | undefined>();
    expectTypeOf<HeadlessOptions['resume']>().toEqualTypeOf<string | true | undefined>();
  });

  verifies(
    ['PROGRAM-18', 'PROGRAM-16'],
    'prints the flags that have no effect on stdout for --explain-flags, and exits with 0',
    async () => {
      const { code, stdout, stderr } = await run(['--explain-flags'], '', { reads: ['maxTurns'] });
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout.endsWith('\n')).toBe(true);
      expect(stdout).toContain('  --task-budget <tokens>\n');
      expect(stdout).not.toContain('--max-turns');
      for (const flag of ['--output-format', '--dangerously-skip-permissions', '--sdk-url'])
        expect(stdout).not.toContain(`\n  ${flag}`);
    },
  );

  verifies(
    ['PROGRAM-2', 'PROGRAM-23'],
    'whose setup fails reports the reason, runs its clean-ups and exits with 1 before any frame',
    async () => {
      const reasons: unknown[] = [];
      const outcome = await run([...STREAM], user('one'), {
        async setUp({ onExit }) {
          onExit((why) => void reasons.push(why));
          await new Promise((resolve) => setTimeout(resolve, 10));
          throw new Error('no sandbox');
        },
      });
      expect(outcome).toEqual({ code: 1, stdout: '', stderr: 'Error: no sandbox\n' });
      expect(reasons).toEqual([{ code: 1, reason: 'other' }]);
    },
  );

  test('refuses to skip permissions as root, unless IS_SANDBOX is set', async () => {
    for (const flag of ['--permission-mode=bypassPermissions', '--dangerously-skip-permissions']) {
      const as = (userId: number, env = {}) => run([...STREAM, flag], user('one'), { process: { userId, env } });
      expect(await as(0)).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(/^Error: root cannot .*\n$/) });
      expect((await as(0, { IS_SANDBOX: '1' })).code).toBe(0);
      expect((await as(1000)).code).toBe(0);
    }
    expect((await run([...STREAM], user('one'), { process: { userId: 0 } })).code).toBe(0);
  });

  test('logs the type of each message that it reads, without its content, when debugging is on', async () => {
    for (const flag of ['--debug', '--debug-to-stderr']) {
      const { stderr } = await run([...STREAM, flag], `${user('secret')}{"type":"keep_alive"}\n`);
      const types = ['user', 'keep_alive'];
      const lines = types.map((type) => String.raw`\S+ \[DEBUG\] read a message of type "${type}"\n`);
      expect(stderr).toMatch(new RegExp(`^${lines.join('')}$`));
    }
  });

  test('logs each prompt that is dropped as a duplicate, when debugging is on', async () => {
    const prompt = JSON.stringify({ ...JSON.parse(user('once')), uuid: '00000000-0000-4000-8000-000000000001' });
    const { stderr } = await run([...STREAM, '--debug'], `${prompt}\n${prompt}\n`);
    expect(stderr.match(/dropped a duplicate message of type "user"/g)).toHaveLength(1);
  });

  test('does not start when the debug file cannot be written', async () => {
    const { code, stdout, stderr } = await run([...STREAM, '--debug-file=/nowhere/at/all']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^Error: ENOENT.*\n$/);
  });

  test('sends session_state_changed to a host that reads it', async () => {
    const states = async (env: Record<string, string>) =>
      messagesIn((await run(STREAM, user('one'), { process: { env } })).stdout).flatMap(
        ({ subtype, state, sdk_host_only }) => (subtype === 'session_state_changed' ? [[state, sdk_host_only]] : []),
      );
    expect(await states({})).toEqual([]);
    expect(await states({ CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS: '1' })).toEqual([
      ['running', undefined],
      ['idle', undefined],
    ]);
    expect(await states({ CLAUDE_CODE_SDK_READS_SESSION_STATE: '1' })).toEqual([
      ['running', true],
      ['idle', true],
    ]);
  });
});

describe('before any frame', () => {
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
    const { code, stdout, stderr } = await run(STREAM, input);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(problem);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(stderr).not.toContain('hello');
  });

  test('prints its version, and refuses unknown and unsupported flags', async () => {
    const version = expect.stringMatching(/^\d+\.\d+\.\d+ \(test\)\n$/);
    expect(await run(['-v'])).toEqual({ code: 0, stdout: version, stderr: '' });
    for (const flag of ['--nonsense', '--managed-settings={}']) {
      const { code, stdout, stderr } = await run([flag, ...STREAM]);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toMatch(new RegExp(`^error.*${flag.split('=')[0]}.*\n$`, 'i'));
    }
    expect(await run([...STREAM, '--managed-settings={}'], '', { reads: ['managedSettings'] })).toMatchObject({
      code: 0,
    });
  });

  verifies(['PROGRAM-3', 'CLI-16'], 'refuses flags that exclude each other or lack a required flag', async () => {
    expect(await run(['-p', 'x', '--resume-session-at=1'])).toEqual({
      code: 1,
      stdout: '',
      stderr: 'Error: --resume-session-at requires --resume\n',
    });
    expect(await run(['-p', 'x', '--output-format=stream-json'])).toEqual({
      code: 1,
      stdout: '',
      stderr: 'Error: When using --print, --output-format=stream-json requires --verbose\n',
    });
  });

  test('warns about an unknown effort and continues', async () => {
    const { code, stdout, stderr } = await run(['-p', 'x', '--effort=huge']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'ok\n' });
    expect(stderr).toMatch(/^Warning: .*'huge'.*\n$/);
  });
});
