import { createSession, type RequestHandler } from '@proto/core';
import { createMemoryPair } from '@proto/core/transport';
import { verifies } from '@proto/test-support/verifies';
import { describe, expect, test, vi } from 'vitest';
import type { AgentOptions } from '../agent-options.ts';
import { agentPeer, assistant, kinds, user } from '../agent-peer.test-support.ts';
import { runAgent } from '../agent-session.ts';
import type { RunTurn } from '../turns/turn.ts';

const calling: RunTurn = async function* (turn) {
  const { behavior } = await turn.canUseTool('Bash', { command: 'ls' }, 'tool-1');
  yield assistant(behavior);
};

/** Runs an agent that asks for a permission and a host that answers; returns the messages to the host. */
async function askWith(can_use_tool: RequestHandler | undefined, options: Partial<AgentOptions> = {}) {
  const { host, agent } = createMemoryPair();
  const outcome = runAgent(agent, {
    runTurn: calling,
    ...options,
    permissions: { promptTool: 'stdio', ...options.permissions },
  });
  const session = createSession(host, { handlers: can_use_tool === undefined ? {} : { can_use_tool } });
  void session.emit(user('go'));
  const messages = [];
  for await (const item of session) {
    if (item.kind !== 'message') continue;
    messages.push(item.message);
    if (item.message.type === 'result') void session.end();
  }
  await outcome;
  return { messages, result: messages.at(-1) };
}

const DENIAL = { tool_name: 'Bash', tool_use_id: 'tool-1', tool_input: { command: 'ls' } };

describe('a turn that needs a permission', () => {
  verifies('PERMIT-3', 'may force the decision in place of the rules, and the host learns of a denial', async () => {
    const check = vi.fn(() => ({ behavior: 'deny', message: 'by a rule' }) as const);
    const runTurn: RunTurn = async function* (turn) {
      const said: string[] = [];
      for (const behavior of ['allow', 'deny', 'ask'] as const) {
        const decision = behavior === 'deny' ? { behavior, message: 'forced' } : { behavior };
        const { behavior: decided } = await turn.canUseTool('Bash', { command: 'ls' }, behavior, { decision });
        said.push(`${behavior}: ${decided}`);
      }
      yield assistant(said.join());
    };
    const handler = vi.fn<RequestHandler>(() => ({ behavior: 'allow' }));
    const { messages, result } = await askWith(handler, { runTurn, permissions: { check: check } });
    expect(result).toMatchObject({
      result: 'allow: allow,deny: deny,ask: allow',
      permission_denials: [{ tool_use_id: 'deny' }],
    });
    expect(messages.filter(({ subtype }) => subtype === 'permission_denied')).toMatchObject([{ message: 'forced' }]);
    expect(handler.mock.calls.map(([{ tool_use_id }]) => tool_use_id)).toEqual(['ask']);
    expect(check).not.toHaveBeenCalled();
  });

  verifies('PRM-2', 'asks the host under the id of its tool call, and goes on with the answer', async () => {
    const handler = vi.fn<RequestHandler>(({ input }) => ({ behavior: 'allow', updatedInput: input }));
    const { messages, result } = await askWith(handler);
    expect(handler.mock.calls[0]?.[0]).toMatchObject({
      tool_name: 'Bash',
      input: { command: 'ls' },
      tool_use_id: 'tool-1',
    });
    expect(kinds(messages)).toEqual(['system/init', 'assistant', 'result/success']);
    expect(result).toMatchObject({ result: 'allow', permission_denials: [] });
  });

  test.each<[string, RequestHandler | undefined, Partial<AgentOptions>]>([
    ['the host denies', () => ({ behavior: 'deny', message: 'no' }), {}],
    ['the host does not support the request', undefined, {}],
    ['the host gives an invalid answer', () => ({ behavior: 'maybe' }), {}],
    ['no user is available to ask', () => ({ behavior: 'allow' }), { permissions: { promptTool: undefined } }],
    ['nobody is to be asked', () => ({ behavior: 'allow' }), { permissions: { prompts: 'none' } }],
    [
      'the rules deny',
      () => ({ behavior: 'allow' }),
      { permissions: { check: () => ({ behavior: 'deny', message: 'rule' }) } },
    ],
  ])('is denied when %s, goes on, and lists the denial in its result', async (_, handler, options) => {
    const { messages, result } = await askWith(handler, options);
    const said = kinds(messages).filter((kind) => kind !== 'system/permission_denied');
    expect(said).toEqual(['system/init', 'assistant', 'result/success']);
    expect(result).toMatchObject({ result: 'deny', permission_denials: [DENIAL] });
  });

  test.each<[string, Partial<AgentOptions>, string]>([
    ['no user is available to ask', { permissions: { promptTool: undefined } }, 'not granted'],
    ['the rules deny', { permissions: { check: () => ({ behavior: 'deny', message: 'rule' }) } }, 'rule'],
  ])('reports a denial that the host did not make: %s', async (_, options, text) => {
    const { messages } = await askWith(() => ({ behavior: 'allow' }), options);
    const notices = messages.filter(({ subtype }) => subtype === 'permission_denied');
    expect(notices).toMatchObject([
      { tool_name: 'Bash', tool_use_id: 'tool-1', message: expect.stringContaining(text) },
    ]);
  });

  test('ends when the host denies and interrupts', async () => {
    const { messages, result } = await askWith(() => ({ behavior: 'deny', message: 'stop', interrupt: true }));
    const marker = messages.find(({ type }) => type === 'user');
    expect(marker).toMatchObject({ message: { content: [{ text: '[Request interrupted by user for tool use]' }] } });
    expect(result).toMatchObject({ terminal_reason: 'aborted_tools', is_error: true, permission_denials: [DENIAL] });
  });
});

test('an interrupt cancels an open permission request before its receipt', async () => {
  const { host, agent } = createMemoryPair();
  void runAgent(agent, { runTurn: calling, permissions: { promptTool: 'stdio' } });
  const order: string[] = [];
  let asked: () => void = () => {};
  const open = new Promise<void>((resolve) => (asked = resolve));
  const session = createSession(host, {
    handlers: {
      can_use_tool: (_, { signal }) =>
        new Promise(() => {
          signal.addEventListener('abort', () => order.push('question taken back'));
          asked();
        }),
    },
    onResponse: () => order.push('receipt'),
    onItem: (item) => item.kind === 'message' && item.message.type === 'result' && order.push('result'),
  });
  void session.emit(user('go'));
  await open;
  await session.request({ subtype: 'interrupt' });
  await vi.waitFor(() => expect(order).toEqual(['question taken back', 'receipt', 'result']));
});

test('a call after the interrupt of a turn is denied, and does not change the result', async () => {
  let isAllowed: unknown;
  const runTurn: RunTurn = async function* (turn) {
    yield assistant('working');
    await new Promise((resolve) => turn.signal.addEventListener('abort', resolve));
    isAllowed = await turn.canUseTool('Bash', {}, 'T1');
    yield assistant('cut', { aborted: true });
  };
  const can_use_tool = vi.fn(() => ({ behavior: 'allow' }));
  const { session, until, turn } = agentPeer({ runTurn, permissions: { promptTool: 'stdio' } }, { can_use_tool });
  void session.emit(user('go'));
  await until(({ type }) => type === 'assistant');
  await session.request({ subtype: 'interrupt' });
  expect((await turn()).at(-1)).toMatchObject({ terminal_reason: 'aborted_streaming', permission_denials: [] });
  expect(isAllowed).toMatchObject({ behavior: 'deny', decidedBy: 'failure' });
  expect(can_use_tool).not.toHaveBeenCalled();
});

test('an open permission request is repeated in the answer to an initialize', async () => {
  let ask: (requestId: unknown) => void = () => {};
  const asked = new Promise((resolve) => (ask = resolve));
  const can_use_tool: RequestHandler = (_, { requestId }) => new Promise(() => ask(requestId));
  const { session, seen } = agentPeer({ runTurn: calling, permissions: { promptTool: 'stdio' } }, { can_use_tool });
  await session.request({ subtype: 'initialize' });
  void session.emit(user('go'));
  const request_id = await asked;
  await session.request({ subtype: 'initialize' });
  const request = expect.objectContaining({ subtype: 'can_use_tool', tool_use_id: 'tool-1' });
  expect(seen.map(({ response }) => response)).toMatchObject([
    { pending_permission_requests: [], pending_user_dialog_requests: [] },
    { pending_permission_requests: [{ type: 'control_request', request_id, request }] },
  ]);
});

test('a permission request that is answered while the servers of an initialize connect is not repeated', async () => {
  const { handlers, steps } = heldHandlers();
  const { session, seen, turn } = agentPeer({ runTurn: calling, permissions: { promptTool: 'stdio' } }, handlers);
  void session.emit(user('go'));
  const decide = await steps.can_use_tool;
  const initialized = session.request({ subtype: 'initialize', sdkMcpServers: ['lab'] });
  const connect = await steps.mcp_message;
  decide({ behavior: 'allow' });
  await turn();
  connect({ mcp_response: { jsonrpc: '2.0', id: 0, result: {} } });
  await initialized;
  expect(seen.at(-1)).toMatchObject({ response: { pending_permission_requests: [] } });
});

/** Handlers that answer only when the test says so. Each step resolves with the function that answers, when the request has arrived. */
function heldHandlers() {
  const held = () => {
    let arrive: (answer: (payload: object) => void) => void = () => {};
    const step = new Promise<(payload: object) => void>((resolve) => (arrive = resolve));
    const handler: RequestHandler = () => new Promise((resolve) => arrive(resolve));
    return { step, handler };
  };
  const [permission, server] = [held(), held()];
  return {
    handlers: { can_use_tool: permission.handler, mcp_message: server.handler },
    steps: { can_use_tool: permission.step, mcp_message: server.step },
  };
}
