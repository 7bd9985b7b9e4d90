import type { RequestHandler } from '@proto/core';
import { verifies } from '@proto/test-support/verifies';
import { describe, expect, test, vi } from 'vitest';
import { agentPeer, assistant, kinds, toolUse, user } from '../agent-peer.test-support.ts';
import type { HostMcpServer } from './host-mcp-server.ts';
import type { RunTurn } from '../turns/turn.ts';

type Rpc = { readonly id?: number; readonly method: string; readonly params?: Record<string, unknown> };

/** A host whose server has one tool that adds; records the messages that it gets. */
function calculator(answer: (rpc: Rpc) => unknown = ({ id }) => ({ id, result: { content: [] } })) {
  const sent: Rpc[] = [];
  const mcp_message: RequestHandler = (request) => {
    const message = request['message'] as Rpc;
    sent.push(message);
    const { id, method } = message;
    const reply = (result: object) => ({ mcp_response: { jsonrpc: '2.0', id, result } });
    if (method === 'initialize') return reply({ serverInfo: { name: 'calc' } });
    if (method === 'tools/list') return reply({ tools: [{ name: 'add', description: 'Adds' }] });
    if (method !== 'tools/call') return reply({});
    return Promise.resolve(answer(message)).then((mcp_response) => ({ mcp_response }));
  };
  return { sent, handlers: { mcp_message }, methods: () => sent.map(({ method }) => method) };
}

const adding: RunTurn = async function* ({ mcpServers: [calc], tools }) {
  yield toolUse('mcp__calc__add', 'T1');
  const result = await calc?.callTool('add', { a: 2 }, { toolUseID: 'T1' });
  yield assistant(`${tools.map(({ name }) => name).join()} ${JSON.stringify(result)}`);
};

const manifest = {
  initializeResult: { protocolVersion: '2025-11-25', serverInfo: { name: 'calc' } },
  toolsListResult: { tools: [{ name: 'add' }] },
};

describe('MCP servers of the host', () => {
  verifies(
    ['MCP-1', 'AGENT-3', 'AGENT-5'],
    'are initialized before the answer to initialize, and a turn has their tools',
    async () => {
      const { sent, methods, handlers } = calculator();
      const own = [{ name: 'Bash' }, { name: 'mcp__calc__ask' }];
      const { session, turn } = agentPeer(
        { runTurn: adding, tools: () => own, permissions: { promptTool: 'mcp__calc__ask' } },
        handlers,
      );
      const answered = session.request({ subtype: 'initialize', sdkMcpServers: ['calc'] }).then(methods);
      void session.emit(user('go'));
      // The rest of the handshake follows after the answer.
      expect(await answered).toEqual(['initialize']);
      const messages = await turn();
      expect(methods()).toEqual(['initialize', 'notifications/initialized', 'tools/list', 'tools/call']);
      expect(sent.map(({ id }) => id)).toEqual([0, undefined, 1, 2]);
      const _meta = { 'claudecode/toolUseId': 'T1', progressToken: 2 };
      expect(sent[3]?.params).toEqual({ name: 'add', arguments: { a: 2 }, _meta });
      expect(messages[0]).toMatchObject({
        tools: ['Bash', 'mcp__calc__add'],
        mcp_servers: [{ name: 'calc', status: 'connected' }],
      });
      expect(messages.at(-1)).toMatchObject({ result: 'Bash,mcp__calc__add {"content":[]}' });
    },
  );

  verifies('AGENT-5', 'are not used if a policy forbids them', async () => {
    const { sent, handlers } = calculator();
    const options = { runTurn: adding, tools: () => [{ name: 'Bash' }], mcp: { allowHostServers: false } };
    const { session, turn } = agentPeer(options, handlers);
    await session.request({ subtype: 'initialize', sdkMcpServers: ['calc'] });
    void session.emit(user('go'));
    expect((await turn())[0]).toMatchObject({ tools: ['Bash'], mcp_servers: [] });
    expect(sent).toEqual([]);
  });

  test('whose handshake the host has already made are not asked again', async () => {
    const { sent, methods, handlers } = calculator();
    const { session, turn } = agentPeer({ runTurn: adding }, handlers);
    const answer = session.request({
      subtype: 'initialize',
      sdkMcpServers: ['calc'],
      sdkMcpServerManifests: { calc: manifest },
    });
    await expect(answer).resolves.toMatchObject({ sdk_mcp_manifests_parked: { calc: 'parked' } });
    void session.emit(user('go'));
    await turn();
    expect(methods()).toEqual(['tools/call']);
    expect(sent[0]?.id).toBe(2);
  });

  test('that are named on the command line are initialized before the first turn', async () => {
    const { methods, handlers } = calculator();
    const { session, turn } = agentPeer({ runTurn: adding, mcp: { sdkServers: ['calc'] } }, handlers);
    void session.emit(user('go'));
    expect((await turn()).at(-1)).toMatchObject({ subtype: 'success' });
    expect(methods()[0]).toBe('initialize');
  });

  verifies(
    ['MCP-17', 'AGENT-12'],
    'may send notifications, and their tools are read again after a change',
    async () => {
      const { methods, handlers } = calculator();
      const received: unknown[] = [];
      const runTurn: RunTurn = async function* ({ mcpServers: [calc] }) {
        if (calc) calc.onMessage = (message) => received.push(message.method);
        yield assistant('listening');
      };
      const { session, turn } = agentPeer({ runTurn, mcp: { sdkServers: ['calc'] } }, handlers);
      void session.emit(user('go'));
      await turn();
      const say = (server_name: string, method: string) =>
        session.request({ subtype: 'mcp_message', server_name, message: { jsonrpc: '2.0', method } });
      await say('calc', 'notifications/progress');
      await say('nobody', 'notifications/progress');
      await say('calc', 'notifications/tools/list_changed');
      expect(received).toEqual(['notifications/progress', 'notifications/tools/list_changed']);
      // This happens only after the answer.
      expect(methods().slice(3)).toEqual([]);
      await vi.waitFor(() => expect(methods().slice(3)).toEqual(['tools/list']));
    },
  );

  verifies(
    ['MCP-6', 'MCP-17'],
    'have their tools read again only after the handshake, which a change precedes',
    async () => {
      const { methods, handlers } = calculator();
      let changed: Promise<unknown> | undefined;
      const { session, turn } = agentPeer(
        { runTurn: adding },
        {
          mcp_message: (request, options) => {
            const message = { jsonrpc: '2.0' as const, method: 'notifications/tools/list_changed' };
            changed ??= session.request({ subtype: 'mcp_message', server_name: 'calc', message });
            return handlers.mcp_message(request, options);
          },
        },
      );
      await session.request({ subtype: 'initialize', sdkMcpServers: ['calc'] });
      await changed;
      void session.emit(user('go'));
      await turn();
      const read = ['initialize', 'notifications/initialized', 'tools/list', 'tools/list'];
      await vi.waitFor(() => expect(methods().filter((method) => method !== 'tools/call')).toEqual(read));
    },
  );

  test('keep the newest list of tools, in whatever order the lists arrive', async () => {
    const lists: ((tools: object[]) => void)[] = [];
    const { handlers } = calculator();
    const offered: string[][] = [];
    const runTurn: RunTurn = async function* ({ tools }) {
      offered.push(tools.map(({ name }) => name));
      yield assistant('done');
    };
    const { session, turn } = agentPeer(
      { runTurn, mcp: { sdkServers: ['calc'] } },
      {
        mcp_message: (request, options) => {
          const { id, method } = request['message'] as Rpc;
          if (method !== 'tools/list' || offered.length === 0) return handlers.mcp_message(request, options);
          return new Promise<object>((resolve) => {
            lists.push((tools) => resolve({ mcp_response: { jsonrpc: '2.0', id, result: { tools } } }));
          });
        },
      },
    );
    const run = (): Promise<unknown> => {
      void session.emit(user('go'));
      return turn();
    };
    await run();
    for (const count of [1, 2]) {
      const message = { jsonrpc: '2.0' as const, method: 'notifications/tools/list_changed' };
      await session.request({ subtype: 'mcp_message', server_name: 'calc', message });
      await vi.waitFor(() => expect(lists).toHaveLength(count));
    }
    lists[1]?.([{ name: 'new' }]);
    lists[0]?.([{ name: 'old' }]);
    await vi.waitFor(async () => {
      await run();
      expect(offered.at(-1)).toEqual(['mcp__calc__new']);
    });
    await run();
    expect(offered.at(-1)).toEqual(['mcp__calc__new']);
  });

  test('whose manifest has no result of initialize are initialized by the agent', async () => {
    const { methods, handlers } = calculator();
    const { session, turn } = agentPeer({ runTurn: adding }, handlers);
    const { toolsListResult } = manifest;
    const request: { subtype: string; [member: string]: unknown } = {
      subtype: 'initialize',
      sdkMcpServers: ['calc'],
      sdkMcpServerManifests: { calc: { toolsListResult } },
    };
    const answer = session.request(request);
    await expect(answer).resolves.toMatchObject({ sdk_mcp_manifests_parked: { calc: 'malformed' } });
    void session.emit(user('go'));
    await turn();
    expect(methods()).toEqual(['initialize', 'notifications/initialized', 'tools/list', 'tools/call']);
  });

  verifies('MCP-18', 'get a notification for an interrupted call, before the receipt of the interrupt', async () => {
    let called = () => {};
    const isCalled = new Promise<void>((resolve) => (called = resolve));
    const { sent, methods, handlers } = calculator(() => {
      called();
      return new Promise(() => {});
    });
    const { session, turn } = agentPeer({ runTurn: adding, mcp: { sdkServers: ['calc'] } }, handlers);
    void session.emit(user('go'));
    await isCalled;
    const order = await session.request({ subtype: 'interrupt' }).then(methods);
    expect(order.at(-1)).toBe('notifications/cancelled');
    expect(sent.at(-1)?.params).toMatchObject({ requestId: 2 });
    const messages = await turn();
    expect(kinds(messages).slice(-3)).toEqual(['user', 'user', 'result/error_during_execution']);
    expect(JSON.stringify(messages.at(-3))).toContain('"tool_use_id":"T1"');
    expect(JSON.stringify(messages.at(-2))).toContain('[Request interrupted by user for tool use]');
    expect(messages.at(-1)).toMatchObject({ terminal_reason: 'aborted_tools' });
  });

  verifies('PERMIT-5', 'may have the tool that answers for the user, which is looked up at its first use', async () => {
    const text = JSON.stringify({ behavior: 'deny', message: 'the tool says no' });
    const { sent, handlers } = calculator(({ id }) => ({ id, result: { content: [{ type: 'text', text }] } }));
    const runTurn: RunTurn = async function* (turn) {
      const decision = await turn.canUseTool('Bash', { command: 'ls' }, 'T1');
      yield assistant(decision.behavior === 'deny' ? decision.message : 'allowed');
    };
    const options = { runTurn, mcp: { sdkServers: ['calc'] }, permissions: { promptTool: 'mcp__calc__add' } };
    const { session, turn } = agentPeer(options, handlers);
    void session.emit(user('go'));
    expect((await turn()).at(-1)).toMatchObject({ result: 'the tool says no' });
    const input = { tool_name: 'Bash', input: { command: 'ls' }, tool_use_id: 'T1' };
    expect(sent.at(-1)?.params).toMatchObject({ name: 'add', arguments: input });
  });

  test('are named in permission requests and hook inputs for their tools', async () => {
    const asked: unknown[] = [];
    const can_use_tool: RequestHandler = ({ mcp_server: server }) => {
      asked.push(server);
      return { behavior: 'allow' };
    };
    const hook_callback: RequestHandler = ({ input }) => {
      asked.push((input as { mcp_server?: unknown }).mcp_server);
      return {};
    };
    const runTurn: RunTurn = async function* (turn) {
      for (const tool of ['mcp__calc__add', 'Bash']) await turn.canUseTool(tool, {}, tool);
      yield assistant('asked');
    };
    const options = { runTurn, mcp: { sdkServers: ['calc'] }, permissions: { promptTool: 'stdio' } };
    const { session, turn } = agentPeer(options, { ...calculator().handlers, can_use_tool, hook_callback });
    await session.request({ subtype: 'initialize', hooks: { PreToolUse: [{ hookCallbackIds: ['h'] }] } });
    void session.emit(user('go'));
    await turn();
    const calc = { name: 'calc', source: 'sdk' };
    expect(asked).toEqual([calc, calc, undefined, undefined]);
  });

  test('get a new id for a call that names no tool_use block', async () => {
    const { sent, handlers } = calculator();
    const calling: RunTurn = async function* ({ mcpServers: [calc] }) {
      for (const a of [1, 2]) await calc?.callTool('add', { a });
      yield assistant('done');
    };
    const { session, turn } = agentPeer({ runTurn: calling, mcp: { sdkServers: ['calc'] } }, handlers);
    void session.emit(user('go'));
    await turn();
    const calls = sent.filter(({ method }) => method === 'tools/call');
    const ids = calls.map(({ params }) => (params as { _meta: Record<string, unknown> })._meta['claudecode/toolUseId']);
    expect(ids).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), expect.stringMatching(/^[0-9a-f-]{36}$/)]);
    expect(ids[0]).not.toBe(ids[1]);
  });

  test('that answer with an error, or not at all, fail alone', async () => {
    const { handlers } = calculator(({ id }) => ({ jsonrpc: '2.0', id, error: { code: -1, message: 'broken' } }));
    const failing: RunTurn = async function* ({ mcpServers }) {
      const [calc] = mcpServers as [HostMcpServer];
      let failure = '';
      await calc.callTool('add', {}, { toolUseID: 'T1' }).catch(({ message }: Error) => (failure = message));
      yield assistant(`${calc.status} ${failure}`);
    };
    const { session, turn } = agentPeer({ runTurn: failing, mcp: { sdkServers: ['calc'] } }, handlers);
    void session.emit(user('go'));
    expect((await turn()).at(-1)).toMatchObject({ result: 'connected broken' });
    const deaf = agentPeer({ runTurn: failing, mcp: { sdkServers: ['calc'] } });
    void deaf.session.emit(user('go'));
    expect((await deaf.turn()).at(-1)).toMatchObject({
      result: 'failed Unsupported control request subtype: mcp_message',
    });
  });
});

describe('a host that changes its MCP servers', () => {
  verifies('MCP-22', 'learns the added, removed and failed servers before the handshake', async () => {
    const { methods, handlers } = calculator();
    const { session, turn } = agentPeer({ runTurn: adding }, handlers);
    const set = (servers: unknown) => session.request<unknown>({ subtype: 'mcp_set_servers', servers });
    const sdk = { type: 'sdk', name: 'calc' };
    await expect(set({ calc: sdk, far: { type: 'http', url: 'http://127.0.0.1' } })).resolves.toEqual({
      added: ['calc'],
      removed: [],
      errors: { far: 'not supported by this agent' },
    });
    expect(methods()).toEqual([]);
    void session.emit(user('go'));
    expect((await turn()).at(-1)).toMatchObject({ subtype: 'success' });
    expect(methods().at(-1)).toBe('tools/call');
    await expect(set({ calc: sdk })).resolves.toEqual({ added: [], removed: [], errors: {} });
    await expect(set({})).resolves.toEqual({ added: [], removed: ['calc'], errors: {} });
    await expect(session.request({ subtype: 'mcp_status' })).resolves.toEqual({ mcpServers: [] });
    await expect(set([])).rejects.toMatchObject({ code: 'invalid_request' });
  });

  verifies('MCP-22', 'leaves servers of other types to the agent', async () => {
    const onSetServers = (servers: object) => ({ added: Object.keys(servers), removed: ['old'] });
    const { session } = agentPeer({ mcp: { onSetServers } }, calculator().handlers);
    const servers = { far: { type: 'http' }, calc: { type: 'sdk' } };
    await expect(session.request<unknown>({ subtype: 'mcp_set_servers', servers })).resolves.toEqual({
      added: ['calc', 'far'],
      removed: ['old'],
      errors: {},
    });
  });

  test('toggles and reconnects a server, and calls it without a turn', async () => {
    const { methods, handlers } = calculator(({ id, params }) => ({
      id,
      result: { content: [params?.['arguments']] },
    }));
    const { session } = agentPeer({ mcp: { sdkServers: ['calc'] } }, handlers);
    await session.request({ subtype: 'initialize' });
    const ask = (subtype: string, members: object = {}) => session.request({ subtype, ...members });
    await expect(ask('mcp_call', { tool: 'mcp__calc__add', arguments: { a: 1 } })).resolves.toEqual({
      content: [{ a: 1 }],
    });
    const status = async () => (await ask('mcp_status')) as { mcpServers: { status: string }[] };
    expect(await status()).toMatchObject({
      mcpServers: [{ name: 'calc', status: 'connected', tools: [{ name: 'add' }] }],
    });
    await ask('mcp_toggle', { serverName: 'calc', enabled: false });
    expect((await status()).mcpServers[0]?.status).toBe('disabled');
    await ask('mcp_toggle', { serverName: 'calc', enabled: true });
    await ask('mcp_reconnect', { serverName: 'calc' });
    expect(methods().filter((method) => method === 'initialize')).toHaveLength(2);
    const again = { serverName: 'calc' };
    await Promise.all([ask('mcp_reconnect', again), ask('mcp_reconnect', again)]);
    expect(methods().filter((method) => method === 'initialize')).toHaveLength(3);
    for (const subtype of ['mcp_toggle', 'mcp_reconnect', 'mcp_read_resource']) {
      await expect(ask(subtype, { serverName: 'x' })).rejects.toThrow('Server not found: x');
    }
    await expect(ask('mcp_call', { tool: 'mcp__x__y' })).rejects.toThrow('Server not found: x');
  });
});
