import { verifies } from '@proto/test-support/verifies';
import { describe, expect, test } from 'vitest';
import type { HeadlessEnvironment } from './environment.ts';
import type { HeadlessRunTurn } from './flags/options.ts';
import { assistant, messagesIn, run, start, STREAM } from './run.test-support.ts';

const runTurn: HeadlessRunTurn = async function* () {
  yield { type: 'stream_event', event: { type: 'message_start' } };
  yield assistant('ok');
};

const ID = '01234567-89ab-cdef-0123-456789abcdef';
const PROMPT = `${JSON.stringify({ type: 'user', uuid: ID, message: { role: 'user', content: 'one' } })}\n`;

/** Runs an agent with these flags and returns the messages that it writes. */
async function said(...argv: string[]) {
  return messagesIn((await run([...STREAM, ...argv], PROMPT, { runTurn })).stdout);
}

describe('flags of the command line', () => {
  test.each([
    ['--permission-mode=plan', { permissionMode: 'plan' }],
    ['--permission-mode=manual', { permissionMode: 'default' }],
    ['--dangerously-skip-permissions', { permissionMode: 'bypassPermissions' }],
    ['--model=m', { model: 'm' }],
    [`--session-id=${ID}`, { session_id: ID }],
  ])('%s', async (flag, members) => {
    expect((await said(flag)).find(({ subtype }) => subtype === 'init')).toMatchObject(members);
  });

  verifies('CTL-38', 'set only the first model: set_model with `default` does not return to it', async () => {
    const prompt = (content: string) => `${JSON.stringify({ type: 'user', message: { role: 'user', content } })}\n`;
    const request = { type: 'control_request', request_id: 'r1', request: { subtype: 'set_model', model: 'default' } };
    const input = `${JSON.stringify(request)}\n${prompt('go')}`;
    const modelsWith = async (...flags: string[]) => {
      const messages = messagesIn((await run([...STREAM, ...flags], input, { runTurn })).stdout);
      const answer = messages.find(({ type }) => type === 'control_response');
      return [answer?.['response'], messages.find(({ subtype }) => subtype === 'init')];
    };
    const isDefault = [{ response: { model: 'default' } }, { model: 'default' }];
    expect(await modelsWith('--model=asked-model')).toMatchObject(isDefault);
    expect(await modelsWith()).toMatchObject(isDefault);
  });

  verifies('AGENT-10', 'enable auth_status messages only with --enable-auth-status', async () => {
    async function* authStatus() {
      yield { isAuthenticating: true, output: ['open the page'] };
    }
    const statusesWith = async (...flags: string[]) => {
      const environment = { runTurn, agentOptions: () => ({ output: { authStatus: authStatus() } }) };
      const messages = messagesIn((await run([...STREAM, ...flags], PROMPT, environment)).stdout);
      return messages.filter(({ type }) => type === 'auth_status');
    };
    expect(await statusesWith()).toEqual([]);
    expect(await statusesWith('--enable-auth-status')).toMatchObject([
      { isAuthenticating: true, output: ['open the page'] },
    ]);
  });

  test('enable stream_event messages only with --include-partial-messages', async () => {
    const types = (messages: Awaited<ReturnType<typeof said>>) => messages.map(({ type }) => type);
    expect(types(await said('--include-partial-messages'))).toContain('stream_event');
    expect(types(await said())).not.toContain('stream_event');
  });

  test.each([
    ['host', 'can_use_tool'],
    ['none', '"result"'],
  ])('choose the surface that permission questions go to: %s', async (surface, comesFirst) => {
    const flags = ['--permission-prompt-tool=stdio', `--permission-prompts=${surface}`];
    const { stdin, stdout, written, code } = start([...STREAM, ...flags], {
      async *runTurn({ canUseTool }) {
        yield assistant((await canUseTool('Bash', {}, 'tool-1')).behavior);
      },
    });
    stdin.write(PROMPT);
    while (!/can_use_tool|"result"/.test(written.stdout)) await new Promise((resolve) => stdout.once('data', resolve));
    expect(written.stdout).toContain(comesFirst);
    stdin.end();
    expect(await code).toBe(0);
    expect(messagesIn(written.stdout).find(({ type }) => type === 'result')).toMatchObject({ result: 'deny' });
    expect(written.stdout.includes('can_use_tool')).toBe(surface === 'host');
  });

  verifies('PERMIT-4', 'let a named tool answer permission questions instead of the host', async () => {
    const asked: unknown[] = [];
    const { code, stdout } = await run([...STREAM, '--permission-prompt-tool=Ask'], PROMPT, {
      async *runTurn({ canUseTool }) {
        yield assistant((await canUseTool('Bash', { command: 'ls' }, 'tool-1')).behavior);
      },
      agentOptions: () => ({
        permissions: {
          findPromptTool: (name) => async (input) => {
            asked.push([name, input['tool_name']]);
            return { behavior: 'allow' };
          },
        },
      }),
    });
    const result = messagesIn(stdout).find(({ type }) => type === 'result');
    expect([code, result]).toMatchObject([0, { result: 'allow' }]);
    expect(asked).toEqual([['Ask', 'Bash']]);
    expect(stdout).not.toContain('can_use_tool');
  });

  verifies('AGENT-5', 'hide the permission tool from the model, also when no questions are asked', async () => {
    const environment: Partial<HeadlessEnvironment> = {
      async *runTurn({ tools }) {
        yield assistant(tools.map(({ name }) => name).join());
      },
      agentOptions: () => ({ tools: () => [{ name: 'Bash' }, { name: 'Ask' }] }),
    };
    const toolsWith = async (...flags: string[]) => {
      const { stdout } = await run(['-p', 'x', ...flags], '', environment);
      return stdout;
    };
    expect(await toolsWith('--permission-prompt-tool=Ask')).toBe('Bash\n');
    expect(await toolsWith('--permission-prompt-tool=Ask', '--permission-prompts=none')).toBe('Bash\n');
    expect(await toolsWith('--permission-prompts=none')).toBe('Bash,Ask\n');
  });

  test('echo prompts only with --replay-user-messages', async () => {
    const echo = expect.objectContaining({ type: 'user', uuid: ID, isReplay: true });
    expect(await said('--replay-user-messages')).toContainEqual(echo);
    expect(await said()).not.toContainEqual(echo);
  });
});
