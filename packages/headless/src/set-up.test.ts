import { verifies } from '@proto/test-support/verifies';
import { describe, expect, test } from 'vitest';
import type { HeadlessRunTurn, JsonObject } from './flags/options.ts';
import { answer, assistant, deferred, messagesIn, run, start, STREAM, user } from './run.test-support.ts';
import { sessionsPeer } from './sessions/sessions.test-support.ts';

describe('before a session', () => {
  verifies(
    'PROGRAM-1',
    'an agent may require consent: without consent no session is opened and no turn runs',
    async () => {
      const done: string[] = [];
      const outcome = await run(STREAM, user('one'), {
        setUp() {
          done.push('asked');
          throw new Error('not agreed');
        },
        openSession() {
          done.push('opened');
          return { sessionId: crypto.randomUUID(), history: [] };
        },
      });
      expect(outcome).toEqual({ code: 1, stdout: '', stderr: 'Error: not agreed\n' });
      expect(done).toEqual(['asked']);
      expect(await run(STREAM, user('one'))).toMatchObject({ code: 0 });
    },
  );

  verifies('PROGRAM-20', 'settings are loaded while the agent sets up, and the first turn waits for both', async () => {
    const done: string[] = [];
    const fetched = deferred();
    await run(STREAM, user('one'), {
      async setUp() {
        done.push('set up');
        // This would never settle if the settings were loaded after the setup.
        await fetched.promise;
      },
      settings: {
        async load() {
          fetched.resolve();
          await fetched.promise;
          done.push('loaded');
        },
        current: () => ({}),
      },
      runTurn(turn) {
        done.push('turn');
        return answer(turn);
      },
    });
    expect(done).toEqual(['set up', 'loaded', 'turn']);
  });

  verifies(
    'PROGRAM-22',
    'start hooks begin before the setup, and the first turn waits for their messages',
    async () => {
      const done: string[] = [];
      const hooks = deferred();
      const { stdin, stdout, written, code } = start(STREAM, {
        async sessionStart() {
          done.push('hooks begin');
          await hooks.promise;
          done.push('hooks end');
          return [{ type: 'user', message: { role: 'user', content: 'context' }, isSynthetic: true }];
        },
        setUp: () => void done.push('set up'),
        async *runTurn({ history }) {
          done.push('turn');
          yield assistant(String(history.length));
        },
      });
      stdin.end(user('one') + user('two'));
      while (!written.stdout.includes('"init"')) await new Promise((resolve) => stdout.once('data', resolve));
      expect(done).toEqual(['hooks begin', 'set up']);
      hooks.resolve();
      expect(await code).toBe(0);
      expect(done).toEqual(['hooks begin', 'set up', 'hooks end', 'turn', 'turn']);
      expect(messagesIn(written.stdout).map(({ type }) => type)).toEqual(
        ['system', 'user', 'assistant', 'result'].concat(['system', 'assistant', 'result']),
      );
    },
  );

  test('start hooks that fail make the waiting turn fail', async () => {
    const { code, stdout } = await run(STREAM, user('one'), { sessionStart: () => Promise.reject(new Error('no')) });
    expect(code).toBe(1);
    expect(messagesIn(stdout).at(-1)).toMatchObject({ subtype: 'error_during_execution', errors: ['no'] });
  });

  verifies(
    'PROGRAM-21',
    'CLAUDE_CODE_EXIT_AFTER_FIRST_RENDER makes the agent print its startup time and exit',
    async () => {
      const done: string[] = [];
      const env = { CLAUDE_CODE_EXIT_AFTER_FIRST_RENDER: '1' };
      const outcome = await run(STREAM, user('one'), { process: { env }, setUp: () => void done.push('set up') });
      expect(outcome).toEqual({ code: 0, stdout: '', stderr: expect.stringMatching(/^Startup time: \d+ms\n$/) });
      expect(done).toEqual(['set up']);
    },
  );
});

describe('during a session', () => {
  verifies('PROGRAM-19', 'settings are read for each turn, and init reports their fast mode', async () => {
    const seen: unknown[] = [];
    let fastMode = false;
    const runTurn: HeadlessRunTurn = async function* ({ settings }) {
      seen.push(settings);
      fastMode = true;
      yield assistant('ok');
    };
    const settings = { current: () => ({ fastMode }) };
    const { stdout } = await run(STREAM, user('one') + user('two'), { runTurn, settings });
    expect(seen).toEqual([{ fastMode: false }, { fastMode: true }]);
    const inits = messagesIn(stdout).filter(({ subtype }) => subtype === 'init');
    expect(inits).toMatchObject([{ fast_mode_state: 'off' }, { fast_mode_state: 'on' }]);
  });

  verifies(
    'PROGRAM-19',
    'a turn that reads the settings again gets the current values, also while the turn runs',
    async () => {
      const seen: unknown[] = [];
      let effort = 'low';
      const { code } = await run(STREAM, user('one'), {
        async *runTurn(turn) {
          seen.push(turn.settings);
          effort = 'high';
          seen.push(turn.settings);
          yield assistant('ok');
        },
        settings: { current: () => ({ effort }) },
      });
      expect([code, seen]).toEqual([0, [{ effort: 'low' }, { effort: 'high' }]]);
    },
  );

  verifies(
    'PROGRAM-19',
    'fast mode is off when each session must opt in, and is not reported when the settings do not name it',
    async () => {
      const announced = async (current: JsonObject) => {
        const request = { type: 'control_request', request_id: 'r1', request: { subtype: 'initialize' } };
        const input = `${JSON.stringify(request)}\n${user('one')}`;
        const messages = messagesIn((await run(STREAM, input, { settings: { current: () => current } })).stdout);
        const answer = messages.find(({ type }) => type === 'control_response')?.['response'];
        const init = messages.find(({ subtype }) => subtype === 'init');
        return [(answer as { response: JsonObject }).response['fast_mode_state'], init?.['fast_mode_state']];
      };
      expect(await announced({ fastMode: true, fastModePerSessionOptIn: true })).toEqual(['off', 'off']);
      expect(await announced({ fastMode: true, fastModePerSessionOptIn: false })).toEqual(['on', 'on']);
      expect(await announced({ fastModePerSessionOptIn: true })).toEqual([undefined, undefined]);
    },
  );

  verifies('PROGRAM-22', 'a turn may report its status', async () => {
    const { stdout } = await run(STREAM, user('one'), {
      async *runTurn({ setStatus }) {
        await setStatus('compacting');
        await setStatus(null);
        yield assistant('ok');
      },
    });
    expect(messagesIn(stdout).filter(({ subtype }) => subtype === 'status')).toMatchObject([
      { type: 'system', status: 'compacting', session_id: expect.any(String) },
      { type: 'system', status: null },
    ]);
  });

  test('hooks receive the path of the transcript', async () => {
    const { home, files } = sessionsPeer();
    const initialize = { subtype: 'initialize', hooks: { UserPromptSubmit: [{ hookCallbackIds: ['hook_0'] }] } };
    const request = { type: 'control_request', request_id: '1', request: initialize };
    const { stdin, stdout, written, code } = start(STREAM, { process: { env: { SJP_HOME: home } } });
    stdin.write(`${JSON.stringify(request)}\n${user('one')}`);
    while (!written.stdout.includes('hook_callback')) await new Promise((resolve) => stdout.once('data', resolve));
    const asked = messagesIn(written.stdout).find(({ type }) => type === 'control_request');
    const response = { subtype: 'success', request_id: asked?.['request_id'], response: {} };
    stdin.end(`${JSON.stringify({ type: 'control_response', response })}\n`);
    expect(await code).toBe(0);
    const { input } = (asked?.['request'] ?? {}) as { input: object };
    expect(input).toMatchObject({ transcript_path: files()[0], cwd: process.cwd() });
  });

  test('the options of the agent override those of the command line', async () => {
    const { stdout } = await run([...STREAM, '--model=asked'], user('one'), {
      agentOptions: ({ options }) => ({
        models: { initial: `${options.model} and resolved` },
        initMessage: () => ({ tools: ['Read'] }),
      }),
    });
    expect(messagesIn(stdout)[0]).toMatchObject({
      subtype: 'init',
      model: 'asked and resolved',
      tools: ['Read'],
      cwd: process.cwd(),
    });
  });
});
