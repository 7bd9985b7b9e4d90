import type { WireMessage } from '@proto/core/framing';
import { encodeBatch, createMemoryPair, flattenIncoming } from '@proto/core/transport';
import { verifies } from '@proto/test-support/verifies';
import { describe, expect, test, vi } from 'vitest';
import type { AgentHandle } from '../agent-options.ts';
import { agentPeer, assistant, kinds, user } from '../agent-peer.test-support.ts';
import { runAgent } from '../agent-session.ts';
import type { RunTurn } from '../turns/turn.ts';

/** Lets all pending work run. */
const settle = async () => {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
};

describe('the host of an agent', () => {
  verifies(
    ['PRM-26', 'PRM-27', 'PRM-28'],
    'sets the permission mode: the callback, the answer, a status and the next init have it',
    async () => {
      const onModeChange = vi.fn();
      const { session, turn } = agentPeer({ permissions: { onModeChange } });
      await expect(session.request({ subtype: 'set_permission_mode', mode: 'plan' })).resolves.toEqual({
        mode: 'plan',
      });
      await expect(session.request<unknown>({ subtype: 'set_permission_mode', mode: 'manual' })).resolves.toEqual({
        mode: 'default',
      });
      await session.request({ subtype: 'set_permission_mode', mode: 'acceptEdits' });
      expect(onModeChange.mock.calls).toEqual([['plan'], ['default'], ['acceptEdits']]);
      void session.emit(user('hi'));
      const messages = await turn();
      expect(messages.filter(({ subtype }) => subtype === 'status').map(({ permissionMode: mode }) => mode)).toEqual([
        'plan',
        'default',
        'acceptEdits',
      ]);
      expect(messages.find(({ subtype }) => subtype === 'init')).toMatchObject({ permissionMode: 'acceptEdits' });
      const wrong = session.request<unknown>({ subtype: 'set_permission_mode', mode: 'yolo' });
      await expect(wrong).rejects.toMatchObject({ code: 'invalid_mode' });
    },
  );

  test('cannot set a mode that the callback refuses', async () => {
    const onModeChange = () => Promise.reject(new Error('not launched for that'));
    const { session, turn } = agentPeer({ permissions: { onModeChange } });
    const refused = session.request({ subtype: 'set_permission_mode', mode: 'bypassPermissions' });
    await expect(refused).rejects.toThrow('not launched for that');
    void session.emit(user('hi'));
    expect((await turn())[0]).toMatchObject({ subtype: 'init', permissionMode: 'default' });
  });

  verifies(['CTL-35', 'CTL-38'], 'sets the model, and resets it by null, by no value and by `default`', async () => {
    const { session, turn } = agentPeer({ models: { initial: 'house-model' } });
    const set = (request: object) => session.request({ subtype: 'set_model', ...request });
    await expect(set({ model: 'other' })).resolves.toEqual({ model: 'other' });
    void session.emit(user('hi'));
    const [echo, init] = await turn();
    expect(echo).toMatchObject({
      message: { content: '<local-command-stdout>Set model to `other`</local-command-stdout>' },
      isReplay: true,
    });
    expect(init).toMatchObject({ subtype: 'init', model: 'other' });
    for (const reset of [{ model: null }, {}, { model: 'default' }]) {
      await set({ model: 'other' });
      await expect(set(reset)).resolves.toEqual({ model: 'house-model' });
    }
    const chosen = agentPeer({ models: { initial: 'chosen', default: 'house-model' } });
    await expect(chosen.session.request({ subtype: 'set_model', model: 'default' })).resolves.toEqual({
      model: 'house-model',
    });
    const resolved = agentPeer({ models: { onChange: (model) => `resolved-${model}` } });
    await expect(resolved.session.request({ subtype: 'set_model', model: 'alias' })).resolves.toEqual({
      model: 'resolved-alias',
    });
  });

  test('keeps its model if the model of a request is not a string', async () => {
    const { session, turn } = agentPeer({ models: { initial: 'house-model' } });
    const set = (request: object) => session.request({ subtype: 'set_model', ...request });
    for (const model of [5, {}, ['other'], true]) {
      await expect(set({ model })).rejects.toMatchObject({ code: 'invalid_request' });
    }
    void session.emit(user('hi'));
    expect((await turn())[0]).toMatchObject({ subtype: 'init', model: 'house-model' });
  });

  verifies('AGENT-11', 'sets the number of thinking tokens', async () => {
    const onThinkingChange = vi.fn();
    const { session } = agentPeer({ models: { onThinkingChange } });
    await session.request({ subtype: 'set_max_thinking_tokens', max_thinking_tokens: 5 });
    await session.request({ subtype: 'set_max_thinking_tokens', max_thinking_tokens: null });
    await session.request({ subtype: 'set_max_thinking_tokens' });
    expect(onThinkingChange.mock.calls).toEqual([[5], [null], [undefined]]);
    const wrong = session.request<unknown>({ subtype: 'set_max_thinking_tokens', max_thinking_tokens: 'many' });
    await expect(wrong).rejects.toMatchObject({ code: 'invalid_request' });
  });

  verifies('CTL-36', 'asks for the status of MCP servers', async () => {
    const servers = [{ name: 'one', status: 'connected' }];
    await expect(agentPeer().session.request({ subtype: 'mcp_status' })).resolves.toEqual({ mcpServers: [] });
    const { session } = agentPeer({ mcp: { status: () => servers } });
    await expect(session.request({ subtype: 'mcp_status' })).resolves.toEqual({ mcpServers: servers });
  });

  verifies(
    ['MCP-16', 'AGENT-12'],
    'forwards messages of its MCP servers, and an unknown server causes no error',
    async () => {
      const onMessage = vi.fn();
      const { session } = agentPeer({ mcp: { onMessage } });
      const message = { jsonrpc: '2.0', method: 'notifications/progress' };
      await expect(session.request<unknown>({ subtype: 'mcp_message', server_name: 'one', message })).resolves.toEqual(
        {},
      );
      expect(onMessage.mock.calls).toEqual([['one', message]]);
      await expect(
        agentPeer().session.request<unknown>({ subtype: 'mcp_message', server_name: 'x', message }),
      ).resolves.toEqual({});
    },
  );

  verifies('AGENT-13', 'rewinds files if the agent can, and gets an error otherwise', async () => {
    const onRewindFiles = vi.fn(() => ({ canRewind: true }));
    const request = { subtype: 'rewind_files', user_message_id: 'u1', dry_run: true };
    await expect(agentPeer({ onRewindFiles }).session.request(request)).resolves.toEqual({ canRewind: true });
    expect(onRewindFiles.mock.calls).toEqual([[request]]);
    await expect(agentPeer().session.request(request)).rejects.toThrow('File rewinding is not enabled.');
  });

  test('may end its input during a request: the agent still runs the prompts that the handler adds', async () => {
    let owner: AgentHandle | undefined;
    let ended = () => {};
    const isEnded = new Promise<void>((resolve) => (ended = resolve));
    const { session, until } = agentPeer({
      onStart: (agent) => void (owner = agent),
      handlers: {
        async think_again() {
          await isEnded;
          owner?.prepend('again');
          return {};
        },
      },
    });
    void session.request({ subtype: 'think_again' }).catch(() => {});
    await session.end();
    await settle();
    ended();
    expect((await until(() => false)).at(-1)).toMatchObject({ type: 'result', result: 'again' });
  });

  verifies(['CTL-2', 'QUEUE-1'], 'gets answers and messages in order', async () => {
    let ask: () => void = () => {};
    const asked = new Promise<void>((resolve) => (ask = resolve));
    const runTurn: RunTurn = async function* () {
      yield assistant('before');
      await asked;
      yield assistant('after');
    };
    const { session, seen, until, turn } = agentPeer({ runTurn });
    void session.emit(user('hi'));
    await until(({ type }) => type === 'assistant');
    await session.request({ subtype: 'mcp_status' });
    await session.request({ subtype: 'no_such_thing' }).catch(() => {});
    ask();
    await turn();
    expect(kinds(seen)).toEqual([
      'system/init',
      'assistant',
      'control_response',
      'control_response',
      'assistant',
      'result/success',
    ]);
    expect(seen[2]).toMatchObject({ response: { subtype: 'success', response: { mcpServers: [] } } });
    expect(seen[3]).toMatchObject({ response: { subtype: 'error', error: expect.stringContaining('no_such_thing') } });
  });
});

describe('an answer of the host', () => {
  const asking: RunTurn = async function* (turn) {
    await turn.request<unknown>({ subtype: 'can_use_tool' }, { requestId: 'ask' }).catch(() => {});
    yield assistant('asked');
  };
  const answer = (response: object) => ({ type: 'control_response', response: { request_id: 'ask', ...response } });
  const yes = answer({ subtype: 'success', response: { behavior: 'allow' } });
  const no = answer({ subtype: 'error', error: 'no' });

  verifies(
    'TRN-66',
    'is echoed with replay on if it is a success of a pending request, and not otherwise',
    async () => {
      const echoes = async (replayUserMessages: boolean, answers: readonly object[]) => {
        const { host, agent } = createMemoryPair();
        void runAgent(agent, { runTurn: asking, output: { replayUserMessages } });
        const texts: string[] = [];
        void host.send(encodeBatch(user('go')));
        for await (const item of flattenIncoming(host.incoming)) {
          if (item.kind !== 'message') continue;
          texts.push(item.text);
          if (item.text.includes('"can_use_tool"')) void host.send(encodeBatch(...answers));
          if (item.text.includes('"result"')) break;
        }
        return texts.filter((text) => text.includes('"control_response"')).map((text) => JSON.parse(text) as unknown);
      };
      const orphan = answer({ subtype: 'success', request_id: 'nobody' });
      expect(await echoes(true, [orphan, yes, yes])).toEqual([yes]);
      expect(await echoes(true, [no])).toEqual([]);
      expect(await echoes(false, [yes])).toEqual([]);
    },
  );

  verifies('CALL-11', 'to a request of another run of the agent goes to the callback', async () => {
    const onUnexpectedResponse = vi.fn();
    const { session, rest } = agentPeer({ onUnexpectedResponse });
    const orphan = { type: 'control_response', response: { subtype: 'success', request_id: 'of another life' } };
    void session.emit(orphan);
    await rest();
    expect(onUnexpectedResponse.mock.calls).toEqual([[orphan]]);
  });

  verifies(
    'CALL-11',
    'lets its callback add prompts, which run even if the input ends during the callback',
    async () => {
      const orphan = (id: string) => ({ type: 'control_response', response: { subtype: 'success', request_id: id } });
      let owner: AgentHandle | undefined;
      let ended = () => {};
      const isEnded = new Promise<void>((resolve) => (ended = resolve));
      const { session, until } = agentPeer({
        onStart: (agent) => void (owner = agent),
        async onUnexpectedResponse({ response }) {
          await isEnded;
          owner?.prepend(`of ${String((response as WireMessage)['request_id'])}`);
        },
      });
      void session.emit(orphan('first'));
      void session.emit(orphan('second'));
      await session.end();
      await settle();
      ended();
      const results = (await until(() => false)).filter(({ type }) => type === 'result');
      expect(results).toMatchObject([{ result: 'of first' }, { result: 'of second' }]);
    },
  );

  test('whose callback fails is reported as an uncaught exception, and the session goes on', async () => {
    const thrown = vi.fn();
    const listeners = process.listeners('uncaughtException');
    process.removeAllListeners('uncaughtException');
    process.on('uncaughtException', thrown);
    try {
      const { session, turn, rest } = agentPeer({
        onUnexpectedResponse: () => Promise.reject(new Error('theirs')),
      });
      void session.emit({ type: 'control_response', response: { subtype: 'success', request_id: 'orphan' } });
      void session.emit(user('hi'));
      expect((await turn()).at(-1)).toMatchObject({ result: 'hi' });
      await rest();
      await vi.waitFor(() => expect(thrown).toHaveBeenCalledWith(new Error('theirs'), 'uncaughtException'));
    } finally {
      process.removeAllListeners('uncaughtException');
      for (const listener of listeners) process.on('uncaughtException', listener);
    }
  });

  test('does not block an interrupted session while its callback runs', async () => {
    const controller = new AbortController();
    const onUnexpectedResponse = vi.fn(() => new Promise<void>(() => {}));
    const { session, outcome } = agentPeer({ onUnexpectedResponse, stopSignal: controller.signal });
    void session.emit({ type: 'control_response', response: { subtype: 'success', request_id: 'orphan' } });
    await vi.waitFor(() => expect(onUnexpectedResponse).toHaveBeenCalled());
    await session.end();
    controller.abort();
    await expect(outcome).resolves.toEqual({ isError: false });
  });

  verifies('CTL-26', 'to a settled request is ignored, an error as well as a success', async () => {
    const onUnexpectedResponse = vi.fn();
    const runTurn: RunTurn = async function* ({ request }) {
      const controller = new AbortController();
      const answer = request({ subtype: 'ask' }, { requestId: 'r', signal: controller.signal });
      controller.abort();
      yield assistant(String(await answer.catch(({ name }) => name)));
    };
    const { session, turn, rest } = agentPeer({ runTurn, onUnexpectedResponse });
    void session.emit(user('go'));
    expect((await turn()).at(-1)).toMatchObject({ result: 'AbortError' });
    void session.emit({ type: 'control_response', response: { subtype: 'error', request_id: 'r', error: 'late' } });
    void session.emit({ type: 'control_response', response: { subtype: 'success', request_id: 'r' } });
    await rest();
    expect(onUnexpectedResponse).not.toHaveBeenCalled();
  });

  verifies('TRN-67', 'completes the life cycle of its id, whatever its content', async () => {
    const { session, rest } = agentPeer();
    const response = { subtype: 'success', request_id: 'orphan' };
    void session.emit({ type: 'control_response', uuid: 'u1', response });
    void session.emit({ type: 'control_response', uuid: 'u1', response });
    const lifecycle = expect.objectContaining({ type: 'command_lifecycle', command_uuid: 'u1', state: 'completed' });
    expect(await rest()).toEqual([lifecycle, lifecycle]);
  });
});

describe('environment and diagnostics of an agent', () => {
  verifies(['MSG-30', 'MSG-31'], 'variables are taken only for allowed names with string values', async () => {
    const onChange = vi.fn();
    const { session, rest } = agentPeer({ environment: { onChange } });
    const update = (variables: unknown) => session.emit({ type: 'update_environment_variables', variables });
    void update({ CLAUDE_CODE_SESSION_ACCESS_TOKEN: 'new', PATH: '/evil', ANTHROPIC_API_KEY: 'x' });
    void update({ CLAUDE_CODE_SESSION_ACCESS_TOKEN: 7 });
    void update({ PATH: '/evil' });
    void update(['CLAUDE_CODE_SESSION_ACCESS_TOKEN']);
    void update(undefined);
    expect(await rest()).toEqual([]);
    expect(onChange.mock.calls).toEqual([[{ CLAUDE_CODE_SESSION_ACCESS_TOKEN: 'new' }]]);
  });

  verifies('AGENT-15', 'diagnostics get the type of each message, and nothing of its content', async () => {
    const onMessageType = vi.fn();
    const { session, rest } = agentPeer({ onMessageType });
    void session.emit({ type: 'system', subtype: 'x', secret: 's' });
    void session.emit(user('secret'));
    void session.request<unknown>({ subtype: 'interrupt', secret: 's' });
    const others = ['control_cancel_request', 'keep_alive', 'assistant', 'new_one'];
    for (const type of others) void session.emit({ type, secret: 's' });
    void session.emit({ type: 'control_response', response: { subtype: 'success', request_id: 'secret' } });
    await rest();
    const types = ['system', 'user', 'control_request', ...others, 'control_response'];
    expect(onMessageType.mock.calls).toEqual(types.map((type) => [{ type }]));
  });

  test('diagnostics name each duplicate that is dropped: a prompt, a late answer, a second answer for a tool call', async () => {
    const onMessageType = vi.fn();
    const runTurn: RunTurn = async function* (turn) {
      await turn.canUseTool('Bash', {}, 'T1');
      yield assistant('done');
    };
    const can_use_tool = () => ({ behavior: 'allow', updatedInput: {}, toolUseID: 'T1' });
    let requestId: unknown;
    const onRequestSent = (request: { readonly requestId: string }) => (requestId = request.requestId);
    const options = { onMessageType, runTurn, permissions: { onRequestSent, promptTool: 'stdio' } };
    const { session, turn, rest } = agentPeer(options, { can_use_tool });
    const prompt = user('go', { uuid: '00000000-0000-4000-8000-000000000001' });
    void session.emit(prompt);
    await turn();
    void session.emit(prompt);
    // The id of the answered request. Some hosts send their answer again after a reconnect.
    const response = { subtype: 'success', request_id: requestId, response: {} };
    void session.emit({ type: 'control_response', response });
    const again = { subtype: 'success', request_id: 'unknown', response: { behavior: 'allow', toolUseID: 'T1' } };
    void session.emit({ type: 'control_response', response: again });
    await rest();
    const dropped = onMessageType.mock.calls.flatMap(([event]) => ('dropped' in event ? [event] : []));
    expect(dropped).toEqual([
      { type: 'user', dropped: 'duplicate' },
      { type: 'control_response', dropped: 'late' },
      { type: 'control_response', dropped: 'duplicate' },
    ]);
  });
});
