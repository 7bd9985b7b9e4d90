import type { RequestHandler } from '@proto/core';
import { verifies } from '@proto/test-support/verifies';
import { describe, expect, test, vi } from 'vitest';
import type { AgentOptions } from '../agent-options.ts';
import { agentPeer, assistant, kinds, toolResult, toolUse, user } from '../agent-peer.test-support.ts';
import { textOf } from '../prompts/prompt.ts';
import type { RunTurn } from '../turns/turn.ts';

/** Calls one tool if its permission allows it, and reports the result. */
const calling: RunTurn = async function* (turn) {
  yield toolUse('Bash', 'T1', { command: 'ls' });
  const decision = await turn.canUseTool('Bash', { command: 'ls' }, 'T1');
  if (decision.behavior === 'allow') {
    const { command } = decision.input;
    const tool_response = { stdout: String(command) };
    await turn.runHooks('PostToolUse', {
      tool_name: 'Bash',
      tool_input: decision.input,
      tool_response,
      tool_use_id: 'T1',
    });
  }
  yield toolResult('T1', decision.behavior === 'allow' ? String(decision.input['command']) : decision.message);
  yield assistant('done');
};

/** A turn under hooks; `answers` has the answer of each callback, by its id. */
async function turnWith(
  hooks: object,
  answers: Readonly<Record<string, RequestHandler>>,
  options: Partial<AgentOptions> = {},
) {
  const called: [string, unknown][] = [];
  const can_use_tool = vi.fn<RequestHandler>(() => ({ behavior: 'allow' }));
  const hook_callback: RequestHandler = (request, context) => {
    called.push([String(request['callback_id']), request['input']]);
    return answers[String(request['callback_id'])]?.(request, context);
  };
  const peer = agentPeer(
    { runTurn: calling, ...options, permissions: { promptTool: 'stdio', ...options.permissions } },
    { can_use_tool, hook_callback },
  );
  const initialized = await peer.session.request({ subtype: 'initialize', hooks });
  void peer.session.emit(user('Go'));
  const messages = await peer.turn();
  await peer.rest();
  const result = messages.find(({ message }) => JSON.stringify(message)?.includes('tool_result'));
  return { messages, called, can_use_tool, initialized, result: JSON.stringify(result?.['message'] ?? null) };
}

const specific =
  (hookEventName: string, members: object): RequestHandler =>
  () => ({
    hookSpecificOutput: { hookEventName, ...members },
  });
const matcher = (id: string, members: object = {}) => [{ hookCallbackIds: [id], ...members }];

describe('hooks of the host', () => {
  verifies(
    'HOK-5',
    'are registered by initialize, called in parallel by event and tool, and get the session data',
    async () => {
      const hooks = {
        UserPromptSubmit: matcher('prompt', { matcher: null }),
        PreToolUse: [
          { matcher: 'Bash', hookCallbackIds: ['bash-1', 'bash-2'] },
          { matcher: 'Read|Write', hookCallbackIds: ['read'] },
          { matcher: '^B', hookCallbackIds: ['pattern'] },
          { matcher: '(', hookCallbackIds: ['broken'] },
          { matcher: '', hookCallbackIds: ['empty'] },
        ],
        PostToolUse: matcher('post', { timeout: 5 }),
        Stop: matcher('stop'),
      };
      const { called, initialized, messages } = await turnWith(hooks, {}, { initMessage: () => ({ cwd: '/work' }) });
      expect(initialized).toMatchObject({ hooks_applied: true, hook_on_failure_supported: true });
      expect(called.map(([id]) => id)).toEqual([
        'prompt',
        'bash-1',
        'bash-2',
        'pattern',
        'broken',
        'empty',
        'post',
        'stop',
      ]);
      const base = { session_id: 'session-1', cwd: '/work', permission_mode: 'default', transcript_path: '' };
      expect(called[0]?.[1]).toMatchObject({ ...base, hook_event_name: 'UserPromptSubmit', prompt: 'Go' });
      const call = { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 'T1' };
      expect(called[1]?.[1]).toMatchObject({ ...base, ...call, hook_event_name: 'PreToolUse' });
      expect(called.at(-1)?.[1]).toMatchObject({ stop_hook_active: false, last_assistant_message: 'done' });
      expect(kinds(messages)).toEqual(['system/init', 'assistant', 'user', 'assistant', 'result/success']);
    },
  );

  test('that block a prompt end the turn without a message of the agent', async () => {
    const runTurn = vi.fn<RunTurn>();
    const { messages } = await turnWith(
      { UserPromptSubmit: matcher('no') },
      { no: () => ({ decision: 'block', reason: 'not here' }) },
      { runTurn },
    );
    expect(runTurn).not.toHaveBeenCalled();
    expect(kinds(messages)).toEqual(['system/init', 'system/informational', 'result/success']);
    const text = 'UserPromptSubmit operation blocked by hook:\nnot here\n\nOriginal prompt: Go';
    expect(messages[1]).toMatchObject({
      content: text,
      prevent_continuation: true,
      prompt_submit_outcome: { kind: 'blocked_by_hook', prompt_kept: false, reason: 'not here' },
    });
    expect(messages[2]).toMatchObject({ num_turns: 0, is_error: false, result: text });
  });

  test('may add context to a prompt, and send a text to the user before the next message', async () => {
    const added: unknown[] = [];
    const runTurn: RunTurn = async function* ({ additionalContext }) {
      added.push(...additionalContext);
      yield assistant('hi');
    };
    const hooks = { UserPromptSubmit: matcher('add') };
    const add: RequestHandler = () => ({
      systemMessage: 'noted',
      hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext: 'it is late' },
    });
    const { messages } = await turnWith(hooks, { add }, { runTurn });
    expect(added).toEqual(['it is late']);
    expect(kinds(messages)).toEqual(['system/init', 'system/informational', 'assistant', 'result/success']);
    expect(messages[1]).toMatchObject({ content: 'UserPromptSubmit says: noted', level: 'notice' });
  });

  test('that block the end of a turn start another round of it', async () => {
    const prompts: string[] = [];
    const active: unknown[] = [];
    const continued: boolean[] = [];
    const runTurn: RunTurn = async function* ({ prompt, isContinued }) {
      prompts.push(textOf(prompt));
      continued.push(isContinued);
      yield assistant(`round ${prompts.length}`);
    };
    const stop: RequestHandler = ({ input }) => {
      active.push((input as { stop_hook_active: unknown }).stop_hook_active);
      return active.length === 1 ? { decision: 'block', reason: 'not yet' } : {};
    };
    const { messages } = await turnWith({ Stop: matcher('stop') }, { stop }, { runTurn });
    expect(prompts).toEqual(['Go', 'Stop hook feedback:\nnot yet']);
    expect(active).toEqual([false, true]);
    expect(continued).toEqual([false, true]);
    expect(kinds(messages)).toEqual([
      'system/init',
      'assistant',
      'user',
      'system/notification',
      'assistant',
      'result/success',
    ]);
    expect(messages[2]).toMatchObject({ isSynthetic: true });
    expect(messages.at(-1)).toMatchObject({ result: 'round 2', num_turns: 2 });
  });

  test.each<[string, RequestHandler, RegExp]>([
    [
      'by a decision',
      specific('PreToolUse', { permissionDecision: 'deny', permissionDecisionReason: 'no' }),
      /PreToolUse:Bash hook error: no/,
    ],
    ['in the older form', () => ({ decision: 'block', reason: 'no' }), /PreToolUse:Bash hook error: no/],
    ['by an unknown decision', specific('PreToolUse', { permissionDecision: 'perhaps' }), /hook error/],
  ])('deny a call without a question to the host: %s', async (_, answer, text) => {
    const { can_use_tool, result, messages } = await turnWith(
      { PreToolUse: [...matcher('yes'), ...matcher('no')] },
      {
        yes: specific('PreToolUse', { permissionDecision: 'allow' }),
        no: answer,
      },
    );
    expect(can_use_tool).not.toHaveBeenCalled();
    expect(result).toMatch(text);
    expect(messages.at(-1)).toMatchObject({ permission_denials: [{ tool_use_id: 'T1' }], num_turns: 2 });
  });

  test('allow a call with another input without a question to the host, but not against the rules', async () => {
    const allow = specific('PreToolUse', { permissionDecision: 'allow', updatedInput: { command: 'pwd' } });
    const hooks = { PreToolUse: matcher('allow') };
    const { can_use_tool, result } = await turnWith(hooks, { allow });
    expect(can_use_tool).not.toHaveBeenCalled();
    expect(result).toContain('pwd');
    const check = () => ({ behavior: 'deny', message: 'a rule' }) as const;
    expect((await turnWith(hooks, { allow }, { permissions: { check: check } })).result).toContain('a rule');
  });

  test('make the agent ask the host even if its rules would allow the call', async () => {
    const ask = specific('PreToolUse', { permissionDecision: 'ask', permissionDecisionReason: 'look first' });
    const check = () => ({ behavior: 'allow' }) as const;
    const { can_use_tool } = await turnWith({ PreToolUse: matcher('ask') }, { ask }, { permissions: { check: check } });
    expect(can_use_tool.mock.calls[0]?.[0]).toMatchObject({
      decision_reason: 'look first',
      decision_reason_type: 'hook',
    });
  });

  test('defer a call, which ends the turn successfully', async () => {
    const defer = specific('PreToolUse', { permissionDecision: 'defer' });
    const { messages } = await turnWith({ PreToolUse: matcher('defer') }, { defer });
    expect(messages.at(-1)).toMatchObject({
      subtype: 'success',
      is_error: false,
      terminal_reason: 'tool_deferred',
      deferred_tool_use: { id: 'T1', name: 'Bash', input: { command: 'ls' } },
      permission_denials: [],
    });
    expect(JSON.stringify(messages)).not.toContain('interrupted');
  });

  test('end the turn if they request it', async () => {
    const stopped: unknown[] = [];
    const runTurn: RunTurn = async function* (turn) {
      const { stopReason } = await turn.runHooks('PostToolUse', { tool_name: 'Bash' });
      stopped.push(stopReason);
      yield assistant('cut short');
    };
    const hooks = { PostToolUse: matcher('enough'), Stop: matcher('stop') };
    const enough = () => ({ continue: false, stopReason: 'enough' });
    const { messages, called } = await turnWith(hooks, { enough }, { runTurn });
    expect(stopped).toEqual(['enough']);
    expect(called.map(([id]) => id)).toEqual(['enough']);
    expect(messages.at(-1)).toMatchObject({ subtype: 'success', terminal_reason: 'hook_stopped' });
  });

  test('decide a permission while the host is asked, and cancel that question', async () => {
    const decide = specific('PermissionRequest', { decision: { behavior: 'deny', message: 'hooked' } });
    const can_use_tool: RequestHandler = (_request, { signal }) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    const peer = agentPeer(
      { runTurn: calling, permissions: { promptTool: 'stdio' } },
      { can_use_tool, hook_callback: decide },
    );
    await peer.session.request({ subtype: 'initialize', hooks: { PermissionRequest: matcher('decide') } });
    void peer.session.emit(user('Go'));
    expect(JSON.stringify(await peer.turn())).toContain('hooked');
  });

  verifies('HOK-23', 'decide a permission also if the host allows the call right after them', async () => {
    let hookIsAsked = () => {};
    const asked = new Promise<void>((resolve) => {
      hookIsAsked = resolve;
    });
    const deny = specific('PermissionRequest', { decision: { behavior: 'deny', message: 'hooked' } });
    const hook_callback: RequestHandler = (request, context) => {
      hookIsAsked();
      return deny(request, context);
    };
    const can_use_tool = async () => {
      await asked;
      return { behavior: 'allow' };
    };
    const peer = agentPeer({ runTurn: calling, permissions: { promptTool: 'stdio' } }, { can_use_tool, hook_callback });
    await peer.session.request({ subtype: 'initialize', hooks: { PermissionRequest: matcher('decide') } });
    void peer.session.emit(user('Go'));
    expect(JSON.stringify(await peer.turn())).toContain('hooked');
  });

  verifies('HOK-30', 'that do not answer in time deny the call, with the reason as its result', async () => {
    let aborted = false;
    const never: RequestHandler = (_request, { signal }) =>
      new Promise(() => signal.addEventListener('abort', () => (aborted = true)));
    const { result, messages, can_use_tool } = await turnWith(
      { PreToolUse: matcher('never', { timeout: 0.01 }) },
      { never },
    );
    expect(result).toMatch(/"content":"PreToolUse hook did not respond before its timeout/);
    // No user has denied the call.
    expect(messages.find(({ type }) => type === 'result')).toMatchObject({ permission_denials: [] });
    expect(can_use_tool).not.toHaveBeenCalled();
    expect(aborted).toBe(true);
  });

  test('are replaced by the next initialize, which cancels their open calls', async () => {
    const runTurn: RunTurn = async function* (turn) {
      const { permissionDecision } = await turn.runHooks('PreToolUse', { tool_name: 'Bash', tool_use_id: 'T1' });
      yield assistant(String(permissionDecision));
    };
    let called = () => {};
    const isCalled = new Promise<void>((resolve) => (called = resolve));
    const hook_callback: RequestHandler = () => {
      called();
      return new Promise(() => {});
    };
    const { session, turn } = agentPeer({ runTurn }, { hook_callback });
    await session.request({ subtype: 'initialize', hooks: { PreToolUse: matcher('old') } });
    void session.emit(user('Go'));
    await isCalled;
    await session.request({ subtype: 'initialize', hooks: {} });
    expect((await turn()).at(-1)).toMatchObject({ result: 'deny' });
  });

  test.each([[7], ['no'], [{ Stop: 7 }], [{ Stop: [7] }], [{ Stop: [{ hookCallbackIds: 'x' }] }]])(
    'are refused if they are malformed: %j',
    async (hooks) => {
      const { session } = agentPeer();
      await expect(session.request<unknown>({ subtype: 'initialize', hooks })).rejects.toMatchObject({
        code: 'invalid_request',
      });
      await expect(session.request({ subtype: 'initialize', hooks: null })).resolves.not.toHaveProperty(
        'hooks_applied',
      );
    },
  );
});
