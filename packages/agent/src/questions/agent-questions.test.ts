import type { RequestHandler } from '@proto/core';
import { verifies } from '@proto/test-support/verifies';
import { describe, expect, test, vi } from 'vitest';
import { agentPeer, assistant, toolUse, user } from '../agent-peer.test-support.ts';
import type { RunTurn } from '../turns/turn.ts';

const asking: RunTurn = async function* (turn) {
  const answer = await turn.elicit({ mcp_server_name: 'asker', message: 'Your name?', mode: 'form' });
  yield assistant(JSON.stringify(answer));
};

describe('an elicitation of an MCP server', () => {
  verifies(
    ['CALL-20', 'AGENT-20'],
    'goes to the user, and the session state is requires_action meanwhile',
    async () => {
      const elicitation = vi.fn<RequestHandler>(() => ({ action: 'accept', content: { name: 'Ada' } }));
      const { session, turn } = agentPeer({ runTurn: asking, output: { stateEvents: 'all' } }, { elicitation });
      void session.emit(user('go'));
      const messages = await turn();
      const states = messages.flatMap(({ subtype, state }) => (subtype === 'session_state_changed' ? [state] : []));
      expect(states).toEqual(['running', 'requires_action', 'running']);
      expect(elicitation.mock.calls[0]?.[0]).toEqual({
        subtype: 'elicitation',
        mcp_server_name: 'asker',
        message: 'Your name?',
        mode: 'form',
      });
      expect(messages.at(-1)).toMatchObject({ result: '{"action":"accept","content":{"name":"Ada"}}' });
    },
  );

  test.each<[string, object, object, string]>([
    ['answer it', { action: 'accept', content: { name: 'Bob' } }, {}, '{"action":"accept","content":{"name":"Bob"}}'],
    ['change its answer', {}, { action: 'decline' }, '{"action":"decline"}'],
    ['make no decision', {}, {}, '{"action":"cancel"}'],
  ])('is passed to hooks, which may %s', async (_, before, after, expected) => {
    const hook_callback: RequestHandler = ({ callback_id: event }) => ({
      hookSpecificOutput: { hookEventName: event, ...(event === 'Elicitation' ? before : after) },
    });
    const elicitation = () => Promise.reject(new Error('no user'));
    const { session, turn } = agentPeer({ runTurn: asking }, { hook_callback, elicitation });
    const hooks = {
      Elicitation: [{ matcher: 'asker', hookCallbackIds: ['Elicitation'] }],
      ElicitationResult: [{ hookCallbackIds: ['ElicitationResult'] }],
    };
    await session.request({ subtype: 'initialize', hooks });
    void session.emit(user('go'));
    expect((await turn()).at(-1)).toMatchObject({ result: expected });
  });
});

test.each([
  ['allow', true],
  ['deny', false],
])('the sandbox asks for network access under a reserved tool name: %s', async (behavior, expected) => {
  const can_use_tool = vi.fn<RequestHandler>(() => ({ behavior }));
  const runTurn: RunTurn = async function* (turn) {
    yield assistant(String(await turn.requestNetworkAccess('example.org')));
  };
  const { session, turn } = agentPeer({ runTurn }, { can_use_tool });
  void session.emit(user('go'));
  expect((await turn()).at(-1)).toMatchObject({ result: String(expected) });
  expect(can_use_tool.mock.calls[0]?.[0]).toMatchObject({ input: { host: 'example.org' } });
});

describe('a permission answer', () => {
  test('may set a mode, which applies from then on and is reported', async () => {
    const updatedPermissions = [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }];
    const can_use_tool = () => ({ behavior: 'allow', updatedPermissions });
    const modes: unknown[] = [];
    const runTurn: RunTurn = async function* (turn) {
      yield toolUse('Write', 'T1');
      for (const id of ['T1', 'T2']) await turn.canUseTool('Write', {}, id);
      yield assistant(turn.permissionMode);
    };
    const check = (_call: unknown, { permissionMode }: { permissionMode?: string }) => {
      modes.push(permissionMode);
      return permissionMode === 'acceptEdits' ? ({ behavior: 'allow' } as const) : ({ behavior: 'ask' } as const);
    };
    const options = { runTurn, permissions: { check, promptTool: 'stdio' } };
    const { session, turn } = agentPeer(options, { can_use_tool });
    void session.emit(user('go'));
    const messages = await turn();
    expect(modes).toEqual(['default', 'acceptEdits']);
    expect(messages).toContainEqual(expect.objectContaining({ subtype: 'status', permissionMode: 'acceptEdits' }));
    expect(messages.at(-1)).toMatchObject({ result: 'acceptEdits' });
  });

  test('cannot set an unknown mode, and the agent gets only the other changes', async () => {
    const rule = { type: 'addRules', behavior: 'allow', rules: [{ toolName: 'Bash' }], destination: 'session' };
    const updatedPermissions = [{ type: 'setMode', mode: 'no-such-mode', destination: 'session' }, rule];
    const can_use_tool = () => ({ behavior: 'allow', updatedPermissions });
    const runTurn: RunTurn = async function* (turn) {
      yield toolUse('Write', 'T1');
      await turn.canUseTool('Write', {}, 'T1');
      yield assistant(turn.permissionMode);
    };
    const onModeChange = vi.fn();
    const onUpdates = vi.fn();
    const options = { runTurn, permissions: { promptTool: 'stdio', onModeChange, onUpdates } };
    const { session, turn } = agentPeer(options, { can_use_tool });
    void session.emit(user('go'));
    expect((await turn()).at(-1)).toMatchObject({ result: 'default' });
    expect(onModeChange).not.toHaveBeenCalled();
    expect(onUpdates.mock.calls).toEqual([[[rule]]]);
  });

  test('cannot set a mode that the agent refuses', async () => {
    const updatedPermissions = [{ type: 'setMode', mode: 'bypassPermissions', destination: 'session' }];
    const can_use_tool = () => ({ behavior: 'allow', updatedPermissions });
    const runTurn: RunTurn = async function* (turn) {
      yield assistant((await turn.canUseTool('Write', {}, 'T1')).behavior);
      yield assistant(turn.permissionMode);
    };
    const onModeChange = () => Promise.reject(new Error('not launched for that'));
    const { session, turn } = agentPeer(
      { runTurn, permissions: { onModeChange, promptTool: 'stdio' } },
      { can_use_tool },
    );
    void session.emit(user('go'));
    const messages = await turn();
    expect(messages.at(-1)).toMatchObject({ result: 'default' });
    expect(messages.some(({ subtype }) => subtype === 'status')).toBe(false);
  });

  verifies(
    'AGENT-20',
    'sets the state requires_action while it is pending, until the turn is interrupted',
    async () => {
      const never: RequestHandler = () => new Promise(() => {});
      const runTurn: RunTurn = async function* (turn) {
        yield toolUse('Bash', 'T1');
        yield assistant((await turn.canUseTool('Bash', {}, 'T1')).behavior);
      };
      const options = { runTurn, permissions: { promptTool: 'stdio' }, output: { stateEvents: 'all' } } as const;
      const { session, until, turn, seen } = agentPeer(options, { can_use_tool: never });
      void session.emit(user('go'));
      await until(({ state }) => state === 'requires_action');
      await session.request({ subtype: 'interrupt' });
      await turn();
      const order = seen.flatMap(({ type, state }) => (type === 'control_response' ? ['receipt'] : (state ?? [])));
      expect(order).toEqual(['running', 'requires_action', 'receipt', 'running']);
    },
  );
});
