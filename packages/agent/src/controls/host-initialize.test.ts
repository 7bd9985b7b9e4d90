import type { RequestHandler } from '@proto/core';
import type { SDKControlInitializeRequest } from '@proto/core/messages';
import { expect, test, vi } from 'vitest';
import { agentPeer, assistant, user } from '../agent-peer.test-support.ts';
import type { RunTurn } from '../turns/turn.ts';

type Members = Omit<SDKControlInitializeRequest, 'subtype'>;

const agent = (description: string) => ({ [description]: { description, prompt: description } });
// Two values for each member, so that a missing member does not compile.
const MEMBERS: { readonly [Name in keyof Required<Members>]: readonly [first: unknown, second: unknown] } = {
  hooks: [{ Stop: [] }, {}],
  sdkMcpServers: [['calc'], []],
  sdkMcpServerConfigs: [{ calc: { timeout: 1 } }, {}],
  sdkMcpServerManifests: [{ calc: { initializeResult: {} } }, {}],
  sdkMcpServerManifestsOrigin: ['host_per_send', 'another'],
  jsonSchema: [{ type: 'object' }, {}],
  systemPrompt: [['You help.'], ['']],
  appendSystemPrompt: ['Be brief.', ''],
  systemPromptSnapshot: [true, false],
  planModeInstructions: ['Plan.', ''],
  toolAliases: [{ sh: 'Bash' }, {}],
  excludeDynamicSections: [true, false],
  agents: [agent('one'), agent('two')],
  title: ['One', ''],
  skills: [['review'], []],
  promptSuggestions: [true, false],
  agentProgressSummaries: [true, false],
  forwardSubagentText: [true, false],
  supportedDialogKinds: [['ask'], []],
  perTaskStopAffordance: [true, false],
  plugins: [[{ type: 'local', path: '/p' }], []],
  mcpServers: [{ a: { command: 'a' } }, {}],
};

/** An agent whose turns record the members of `initialize`. */
function recordingAgent() {
  const seen: Readonly<Record<string, unknown>>[] = [];
  const runTurn: RunTurn = async function* (turn) {
    seen.push({ ...turn.initialize });
    yield assistant('ok');
  };
  const mcp_message: RequestHandler = () => ({ mcp_response: { jsonrpc: '2.0', id: 0, result: {} } });
  const { session, turn } = agentPeer({ runTurn }, { mcp_message });
  const initialize = (members: object) => session.request({ subtype: 'initialize', ...members });
  return {
    initialize,
    async membersOfTurn() {
      void session.emit(user('go'));
      await turn();
      return seen.at(-1) ?? {};
    },
  };
}

test.each(Object.entries(MEMBERS))(
  '%s stays if a later initialize omits it, and is replaced otherwise',
  async (name, [first, second]) => {
    const { initialize, membersOfTurn } = recordingAgent();
    await initialize({ [name]: first });
    await initialize({});
    expect((await membersOfTurn())[name]).toEqual(first);
    await initialize({ [name]: null });
    expect((await membersOfTurn())[name]).toEqual(first);
    await initialize({ [name]: second });
    expect((await membersOfTurn())[name]).toEqual(second);
  },
);

test('hooks and their open calls stay if a later initialize names no hooks, and named hooks replace them', async () => {
  const calls: unknown[] = [];
  let answer = (_: object) => {};
  const hook_callback: RequestHandler = ({ callback_id }) => {
    calls.push(callback_id);
    return new Promise((resolve) => (answer = resolve));
  };
  const decisions: unknown[] = [];
  const runTurn: RunTurn = async function* (turn) {
    const { permissionDecision } = await turn.runHooks('PreToolUse', { tool_name: 'Bash', tool_use_id: 'T1' });
    decisions.push(permissionDecision);
    yield assistant('ok');
  };
  const { session, turn } = agentPeer({ runTurn }, { hook_callback });
  const initialize = (members: object) => session.request({ subtype: 'initialize', ...members });
  const deny = { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny' } };
  const hooks = (id: string) => ({ hooks: { PreToolUse: [{ hookCallbackIds: [id] }] } });
  await expect(initialize(hooks('driver'))).resolves.toMatchObject({ hooks_applied: true });
  void session.emit(user('go'));
  await vi.waitFor(() => expect(calls).toEqual(['driver']));
  await expect(initialize({ promptSuggestions: true })).resolves.not.toHaveProperty('hooks_applied');
  answer(deny);
  await turn();
  expect(decisions).toEqual(['deny']);
  await initialize(hooks('later'));
  void session.emit(user('go on'));
  await vi.waitFor(() => expect(calls).toEqual(['driver', 'later']));
  answer(deny);
  await turn();
  await initialize({ hooks: {} });
  void session.emit(user('and on'));
  await turn();
  expect(calls).toEqual(['driver', 'later']);
});

test('MCP-42: a later initialize adds MCP servers, and all earlier servers stay', async () => {
  const mcp_message: RequestHandler = ({ message }) => ({
    mcp_response: { jsonrpc: '2.0', id: (message as { id?: number }).id ?? 0, result: {} },
  });
  const { session } = agentPeer({ mcp: { sdkServers: ['own'] } }, { mcp_message });
  const initialize = (members: object) => session.request({ subtype: 'initialize', ...members });
  const names = async () => {
    const { mcpServers } = await session.request<{ mcpServers: { name: string }[] }>({ subtype: 'mcp_status' });
    return mcpServers.map(({ name }) => name).sort();
  };
  await initialize({ sdkMcpServers: ['a', 'b', 'own'] });
  await initialize({});
  expect(await names()).toEqual(['a', 'b', 'own']);
  await initialize({ sdkMcpServers: ['b', 'c'] });
  expect(await names()).toEqual(['a', 'b', 'c', 'own']);
  await session.request({ subtype: 'mcp_set_servers', servers: { d: { type: 'sdk', name: 'd' } } });
  expect(await names()).toEqual(['d']);
  await initialize({ sdkMcpServers: ['e'] });
  expect(await names()).toEqual(['d', 'e']);
  // Requests in one write take effect in their order.
  const replaced = session.request({ subtype: 'mcp_set_servers', servers: { f: { type: 'sdk', name: 'f' } } });
  await initialize({ sdkMcpServers: ['e'] });
  await expect(replaced).resolves.toMatchObject({ added: ['f'], removed: ['d', 'e'] });
  expect(await names()).toEqual(['e', 'f']);
  const many = Array.from({ length: 999 }, (_, at) => `s${at}`);
  await expect(initialize({ sdkMcpServers: many })).rejects.toThrow('1001 MCP servers');
  expect(await names()).toEqual(['e', 'f']);
});

test('MCP servers with configurations go to the owner of the agent, and those of type sdk are reached in the host', async () => {
  const mcp_message: RequestHandler = ({ message }) => ({
    mcp_response: { jsonrpc: '2.0', id: (message as { id?: number }).id ?? 0, result: {} },
  });
  const onSetServers = vi.fn(() => ({}));
  const { session } = agentPeer({ mcp: { onSetServers } }, { mcp_message });
  const initialize = (members: object) => session.request({ subtype: 'initialize', ...members });
  const far = { type: 'http', url: 'http://127.0.0.1:1' };
  const mcpServers = { far, lab: { type: 'sdk', name: 'lab' } };
  await expect(initialize({ mcpServers, sdkMcpServers: ['own'] })).resolves.toMatchObject({
    mcp_servers_applied: true,
  });
  expect(onSetServers.mock.calls).toEqual([[{ far }]]);
  const { mcpServers: known } = await session.request<{ mcpServers: { name: string }[] }>({ subtype: 'mcp_status' });
  expect(known.map(({ name }) => name)).toEqual(['own', 'lab']);
});

test('an agent that starts no MCP servers says that it has not applied those of initialize', async () => {
  const { session } = agentPeer({});
  const initialize = (members: object) => session.request({ subtype: 'initialize', ...members });
  await expect(initialize({ mcpServers: { a: { command: 'a' } } })).resolves.toMatchObject({
    mcp_servers_applied: false,
  });
  for (const mcpServers of [undefined, null, {}, 'a'])
    await expect(initialize({ mcpServers })).resolves.not.toHaveProperty('mcp_servers_applied');
});

test('an initialize whose MCP servers the owner of the agent refuses fails', async () => {
  const onSetServers = () => {
    throw new Error('no servers today');
  };
  const { session } = agentPeer({ mcp: { onSetServers } });
  const mcpServers = { a: { command: 'a' } };
  await expect(session.request({ subtype: 'initialize', mcpServers })).rejects.toThrow('no servers today');
});

test('more than 1000 MCP servers in one request are refused, and the request changes nothing', async () => {
  const { initialize, membersOfTurn } = recordingAgent();
  await initialize({ title: 'One' });
  const sdkMcpServers = Array.from({ length: 1001 }, (_, n) => `s${n}`);
  await expect(initialize({ title: 'Two', sdkMcpServers })).rejects.toMatchObject({
    code: 'invalid_request',
    message: 'the request names 1001 MCP servers, but at most 1000 are allowed: name fewer servers',
  });
  expect(await membersOfTurn()).toEqual({ title: 'One' });
});
