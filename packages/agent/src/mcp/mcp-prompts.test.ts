import type { RequestHandler } from '@proto/core';
import { expect, test, vi } from 'vitest';
import { agentPeer, assistant, user } from '../agent-peer.test-support.ts';
import { textOf } from '../prompts/prompt.ts';
import type { RunTurn } from '../turns/turn.ts';

type Rpc = { readonly id?: number; readonly method: string; readonly params?: Record<string, unknown> };

const PROMPTS = [
  { name: 'greet', description: 'Greets somebody', arguments: [{ name: 'who', required: true }, { name: 'how' }] },
  { name: 'greet all' },
];

/** A host whose server has prompts; `get` answers `prompts/get`. */
function library(get: (params: Record<string, unknown>) => object, capabilities: object = { prompts: {} }) {
  const sent: Rpc[] = [];
  let prompts: readonly object[] = PROMPTS;
  const mcp_message: RequestHandler = (request) => {
    const message = request['message'] as Rpc;
    sent.push(message);
    const { id, method, params = {} } = message;
    const reply = (result: object) => ({ mcp_response: { jsonrpc: '2.0', id, result } });
    if (method === 'initialize') return reply({ serverInfo: { name: 'lib' }, capabilities });
    if (method === 'tools/list') return reply({ tools: [] });
    if (method === 'prompts/list') return reply({ prompts });
    if (method !== 'prompts/get') return reply({});
    const answer = get(params);
    return 'error' in answer ? { mcp_response: { jsonrpc: '2.0', id, ...answer } } : reply(answer);
  };
  return {
    handlers: { mcp_message },
    methods: () => sent.map(({ method }) => method),
    got: () => sent.flatMap(({ method, params }) => (method === 'prompts/get' ? [params] : [])),
    setPrompts: (next: readonly object[]) => (prompts = next),
  };
}

const says = (...texts: string[]) => ({
  messages: texts.map((text) => ({ role: 'user', content: { type: 'text', text } })),
});
const greeting = (params: Record<string, unknown>) => says(`Say hello: ${JSON.stringify(params)}`, 'Now.');

/** Records the prompt of each turn, and the texts of the conversation that its agent sees. */
function listener() {
  const prompts: unknown[] = [];
  const histories: string[][] = [];
  const runTurn: RunTurn = async function* ({ prompt, history }) {
    prompts.push(prompt);
    histories.push(history.map(({ message }) => textOf((message as { content: unknown }).content)));
    yield assistant('done');
  };
  return { prompts, histories, runTurn };
}

test('prompts of a server of the host are slash commands of the answer to initialize and of each turn', async () => {
  const { handlers, methods } = library(greeting);
  const own = { name: 'own', description: '', argumentHint: '' };
  const options = { initMessage: () => ({ slash_commands: ['own'] }), initializeResponse: () => ({ commands: [own] }) };
  const { session, until, rest } = agentPeer(options, handlers);
  const answer = await session.request<Record<string, unknown>>({ subtype: 'initialize', sdkMcpServers: ['lib'] });
  expect(answer['commands']).toEqual([
    own,
    { name: 'mcp__lib__greet', description: 'Greets somebody', argumentHint: '<who> [how]' },
    { name: 'mcp__lib__greet all', description: '', argumentHint: '' },
  ]);
  void session.emit(user('go'));
  const [init] = (await until(({ subtype }) => subtype === 'init')).slice(-1);
  expect(init?.['slash_commands']).toEqual(['own', 'mcp__lib__greet', 'mcp__lib__greet all']);
  await rest();
  expect(methods()).toEqual(['initialize', 'notifications/initialized', 'prompts/list', 'tools/list']);
});

test('a server that the command line names, or whose handshake the host has made, lists its prompts too', async () => {
  const announced = library(greeting);
  const peer = agentPeer({ mcp: { sdkServers: ['lib'] } }, announced.handlers);
  void peer.session.emit(user('go'));
  const [init] = (await peer.until(({ subtype }) => subtype === 'init')).slice(-1);
  expect(init?.['slash_commands']).toEqual(['mcp__lib__greet', 'mcp__lib__greet all']);
  await peer.rest();
  const parked = library(greeting);
  const { session, rest } = agentPeer({}, parked.handlers);
  const manifest = { initializeResult: { capabilities: { prompts: {} } }, toolsListResult: { tools: [] } };
  const request = { subtype: 'initialize', sdkMcpServers: ['lib'], sdkMcpServerManifests: { lib: manifest } };
  const answer = await session.request<Record<string, unknown>>(request);
  expect(answer['commands']).toHaveLength(2);
  await rest();
  expect(parked.methods()).toEqual(['prompts/list']);
});

test.each([
  ['/mcp__lib__greet Ada', { name: 'greet', arguments: { who: 'Ada' } }],
  ['/mcp__lib__greet Ada very warmly indeed', { name: 'greet', arguments: { who: 'Ada', how: 'very warmly indeed' } }],
  [
    `/mcp__lib__greet "Ada Lovelace" 'in French'`,
    { name: 'greet', arguments: { who: 'Ada Lovelace', how: 'in French' } },
  ],
  ['/mcp__lib__greet', { name: 'greet', arguments: {} }],
  ['/mcp__lib__greet all', { name: 'greet all', arguments: {} }],
])('%s is run as the prompt of the server, with its arguments by their places', async (text, params) => {
  const { handlers, got } = library(greeting);
  const { prompts, histories, runTurn } = listener();
  const { session, turn } = agentPeer({ runTurn, mcp: { sdkServers: ['lib'] } }, handlers);
  void session.emit(user([{ type: 'text', text }]));
  await turn();
  expect(got()).toEqual([params]);
  const expanded = `Say hello: ${JSON.stringify(params)}\nNow.`;
  expect(prompts).toEqual([expanded]);
  expect(histories).toEqual([[text, expanded]]);
});

test('an image that the host attaches to a command stays in the prompt', async () => {
  const { handlers } = library(() => says('Look.'));
  const { prompts, runTurn } = listener();
  const { session, turn } = agentPeer({ runTurn, mcp: { sdkServers: ['lib'] } }, handlers);
  const image = { type: 'image', source: { type: 'url', url: 'https://host/a.png' } };
  void session.emit(user([{ type: 'text', text: '/mcp__lib__greet Ada' }, image]));
  await turn();
  expect(prompts).toEqual([[{ type: 'text', text: 'Look.' }, image]]);
});

test('images and resources of a prompt reach the model', async () => {
  const image = { type: 'image', data: 'AAAA', mimeType: 'image/png' };
  const resource = { type: 'resource', resource: { uri: 'file:///a', text: 'in a file' } };
  const messages = [image, resource, { type: 'text', text: 'Look.' }].map((content) => ({ role: 'user', content }));
  const { handlers } = library(() => ({ messages }));
  const { prompts, runTurn } = listener();
  const { session, turn } = agentPeer({ runTurn, mcp: { sdkServers: ['lib'] } }, handlers);
  void session.emit(user('/mcp__lib__greet'));
  await turn();
  expect(prompts).toEqual([
    [
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
      { type: 'text', text: 'in a file' },
      { type: 'text', text: 'Look.' },
    ],
  ]);
});

test.each([
  ['another command', '/mcp__lib__greeting Ada', {}],
  ['a command in the middle', 'run /mcp__lib__greet Ada', {}],
  ['a prompt that must reach the model as written', '/mcp__lib__greet Ada', { client_composed: true }],
])('%s is not expanded', async (_, text, members) => {
  const { handlers, got } = library(greeting);
  const { prompts, runTurn } = listener();
  const { session, turn } = agentPeer({ runTurn, mcp: { sdkServers: ['lib'] } }, handlers);
  void session.emit(user(text, members));
  await turn();
  expect([prompts, got()]).toEqual([[text], []]);
});

test('a prompt that the server does not give ends its turn with the error, and the next turn runs', async () => {
  const { handlers } = library(() => ({ error: { code: -32602, message: 'who is missing' } }));
  const { prompts, runTurn } = listener();
  const { session, turn } = agentPeer({ runTurn, mcp: { sdkServers: ['lib'] } }, handlers);
  void session.emit(user('/mcp__lib__greet'));
  expect((await turn()).at(-1)).toMatchObject({
    is_error: true,
    errors: ['/mcp__lib__greet: the MCP server did not return the prompt: who is missing'],
  });
  void session.emit(user('next'));
  await turn();
  expect(prompts).toEqual(['next']);
});

test('hooks see the command, may add context, and may refuse it', async () => {
  const { handlers, got } = library(greeting);
  const inputs: unknown[] = [];
  const hook_callback: RequestHandler = ({ input }) => {
    inputs.push(input);
    return inputs.length === 1 ? { decision: 'block', reason: 'not today' } : {};
  };
  const { prompts, runTurn } = listener();
  const { session, turn } = agentPeer({ runTurn, mcp: { sdkServers: ['lib'] } }, { ...handlers, hook_callback });
  const hooks = { UserPromptExpansion: [{ hookCallbackIds: ['h'] }] };
  await session.request({ subtype: 'initialize', hooks });
  void session.emit(user('/mcp__lib__greet Ada'));
  expect((await turn()).at(-1)).toMatchObject({ type: 'result', result: expect.stringContaining('not today') });
  expect([prompts, got()]).toEqual([[], []]);
  expect(inputs).toMatchObject([
    {
      hook_event_name: 'UserPromptExpansion',
      expansion_type: 'mcp_prompt',
      command_name: 'mcp__lib__greet',
      command_args: 'Ada',
      prompt: '/mcp__lib__greet Ada',
    },
  ]);
  void session.emit(user('/mcp__lib__greet Ada'));
  await turn();
  expect(got()).toHaveLength(1);
});

test('changed prompts are reported, and a server without prompts is not asked for them', async () => {
  const { handlers, setPrompts } = library(greeting);
  const { session, until, rest } = agentPeer({}, handlers);
  await session.request({ subtype: 'initialize', sdkMcpServers: ['lib'] });
  setPrompts([{ name: 'new' }]);
  const message = { jsonrpc: '2.0', method: 'notifications/prompts/list_changed' };
  void session.request<unknown>({ subtype: 'mcp_message', server_name: 'lib', message });
  const [changed] = (await until(({ subtype }) => subtype === 'commands_changed')).slice(-1);
  expect(changed?.['commands']).toEqual([{ name: 'mcp__lib__new', description: '', argumentHint: '' }]);
  await rest();
  const silent = library(greeting, { tools: {} });
  const peer = agentPeer({ mcp: { sdkServers: ['lib'] } }, silent.handlers);
  void peer.session.emit(user('go'));
  await peer.turn();
  expect(silent.methods()).toEqual(['initialize', 'notifications/initialized', 'tools/list']);
});

test('the newest list of prompts counts, in whatever order the lists arrive', async () => {
  const { handlers } = library(greeting);
  const lists: ((prompts: object[]) => void)[] = [];
  let isConnected = false;
  const mcp_message: RequestHandler = (request, context) => {
    const { id, method } = request['message'] as Rpc;
    if (method !== 'prompts/list' || !isConnected) return handlers.mcp_message(request, context);
    return new Promise<object>((resolve) => {
      lists.push((prompts) => resolve({ mcp_response: { jsonrpc: '2.0', id, result: { prompts } } }));
    });
  };
  const { session, until, turn } = agentPeer({}, { mcp_message });
  await session.request({ subtype: 'initialize', sdkMcpServers: ['lib'] });
  isConnected = true;
  const message = { jsonrpc: '2.0', method: 'notifications/prompts/list_changed' };
  for (const count of [1, 2]) {
    await session.request<unknown>({ subtype: 'mcp_message', server_name: 'lib', message });
    await vi.waitFor(() => expect(lists).toHaveLength(count));
  }
  lists[1]?.([{ name: 'new' }]);
  await until(({ subtype }) => subtype === 'commands_changed');
  lists[0]?.([{ name: 'old' }]);
  void session.emit(user('go'));
  const init = (await turn()).findLast(({ subtype }) => subtype === 'init');
  expect(init).toMatchObject({ slash_commands: ['mcp__lib__new'] });
});

test('a server that fails to list its prompts is connected without them', async () => {
  const failing: RequestHandler = (request, context) => {
    const message = request['message'] as Rpc;
    if (message.method !== 'prompts/list') return library(greeting).handlers.mcp_message(request, context);
    return { mcp_response: { jsonrpc: '2.0', id: message.id, error: { code: -32601, message: 'no' } } };
  };
  const { session, turn } = agentPeer({ mcp: { sdkServers: ['lib'] } }, { mcp_message: failing });
  await session.request({ subtype: 'initialize' });
  void session.emit(user('go'));
  const init = (await turn()).find(({ subtype }) => subtype === 'init');
  expect(init).toMatchObject({ slash_commands: [], mcp_servers: [{ name: 'lib', status: 'connected' }] });
});
