import type { RequestHandler } from '@proto/core';
import { describe, expect, test, vi } from 'vitest';
import { hosted, kinds } from './host.test-support.ts';
import { callsOf, endOf, pieceOf, resultsOf, textsOf } from './turn.test-support.ts';

const allowing: RequestHandler = ({ input }) => ({ behavior: 'allow', updatedInput: input });

describe('permissions', () => {
  test('are asked for, with what the host may offer the user', async () => {
    const can_use_tool = vi.fn(allowing);
    const { turn, rest } = hosted({ cwd: '/work' }, { can_use_tool });
    expect(kinds(await turn('/write a.txt hello'))).toEqual([
      'system/init',
      'assistant',
      'user',
      'assistant',
      'result/success',
    ]);
    expect(can_use_tool.mock.calls[0]?.[0]).toMatchObject({
      subtype: 'can_use_tool',
      tool_name: 'Write',
      display_name: 'Write',
      input: { file_path: 'a.txt', content: 'hello' },
      description: 'a.txt',
      permission_suggestions: [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }],
      tool_use_id: expect.stringMatching(/^toolu_/),
    });
    await turn('/write /etc/x hello');
    expect(can_use_tool.mock.calls[1]?.[0]).toMatchObject({
      blocked_path: '/etc/x',
      decision_reason_type: 'workingDir',
      permission_suggestions: [{ mode: 'acceptEdits' }, { type: 'addDirectories', directories: ['/etc'] }],
    });
    await rest();
  });

  test('change the rules for the rest of the session', async () => {
    const can_use_tool = vi.fn<RequestHandler>(({ permission_suggestions: updatedPermissions }) => ({
      behavior: 'allow',
      updatedPermissions,
    }));
    const { turn, rest } = hosted({}, { can_use_tool });
    const first = await turn('/write a 1\n/write b 2');
    expect(can_use_tool).toHaveBeenCalledOnce();
    expect(kinds(first)).toEqual([
      'system/init',
      'assistant',
      'system/status',
      'user',
      'assistant',
      'assistant',
      'user',
      'assistant',
      'result/success',
    ]);
    expect(first[2]).toMatchObject({ status: null, permissionMode: 'acceptEdits' });
    await turn('/bash echo one');
    const second = await turn('/bash echo one more');
    expect(can_use_tool).toHaveBeenCalledTimes(2);
    expect(second[0]).toMatchObject({ subtype: 'init', permissionMode: 'acceptEdits' });
    expect(textsOf(second)).toEqual(['one more']);
    await rest();
  });

  test('follow the mode that the host sets', async () => {
    const can_use_tool = vi.fn(allowing);
    const { session, turn, rest } = hosted({ allowDangerouslySkipPermissions: true }, { can_use_tool });
    for (const mode of ['bypassPermissions', 'plan', 'dontAsk']) {
      await session.request<unknown>({ subtype: 'set_permission_mode', mode });
      const [init, ...messages] = await turn('/bash echo a');
      expect(init).toMatchObject({ subtype: 'status' });
      expect(resultsOf(messages)).toMatchObject([{ is_error: mode !== 'bypassPermissions' }]);
    }
    expect(can_use_tool).not.toHaveBeenCalled();
    await rest();
  });

  test('to skip all permissions are the start’s to give', async () => {
    const { session, rest } = hosted();
    const asked = session.request({ subtype: 'set_permission_mode', mode: 'bypassPermissions' });
    await expect(asked).rejects.toMatchObject({ code: 'bypass_not_launched' });
    await rest();
  });

  test('that are denied by rules are reported, and listed in the result', async () => {
    const can_use_tool = vi.fn(allowing);
    const { turn, rest } = hosted({ disallowedTools: ['Bash(rm *)'], allowedTools: ['Bash'] }, { can_use_tool });
    const messages = await turn('/bash rm x\n/bash echo a');
    expect(kinds(messages).slice(0, 4)).toEqual(['system/init', 'assistant', 'system/permission_denied', 'user']);
    expect(endOf(messages)?.['permission_denials']).toMatchObject([
      { tool_name: 'Bash', tool_input: { command: 'rm x' } },
    ]);
    expect(can_use_tool).not.toHaveBeenCalled();
    expect(textsOf(messages).at(-1)).toBe('a');
    await rest();
  });

  test('that are denied with an interrupt end the turn, as one that was cut in its tools', async () => {
    const can_use_tool: RequestHandler = () => ({ behavior: 'deny', message: 'stop', interrupt: true });
    const { turn, rest } = hosted({}, { can_use_tool });
    const messages = await turn('/bash echo a\n/echo never');
    expect(kinds(messages)).toEqual(['system/init', 'assistant', 'user', 'user', 'result/error_during_execution']);
    expect(endOf(messages)).toMatchObject({ is_error: true, terminal_reason: 'aborted_tools' });
    expect(messages[3]).toMatchObject({
      message: { content: [{ text: '[Request interrupted by user for tool use]' }] },
    });
    await rest();
  });

  test('of one reply are asked one after the other where they change something', async () => {
    let open = 0;
    const can_use_tool: RequestHandler = async ({ input }) => {
      expect(++open).toBe(1);
      await Promise.resolve();
      open--;
      return { behavior: 'allow', updatedInput: input };
    };
    const { turn, rest } = hosted({}, { can_use_tool });
    expect(textsOf(await turn('/parallel\n/bash echo a\n/bash echo b\n/bash echo c'))).toEqual(['a\nb\nc']);
    await rest();
  });
});

describe('hooks', () => {
  const answering = (answers: Readonly<Record<string, unknown>>) =>
    vi.fn<RequestHandler>(({ callback_id }) => answers[String(callback_id)]);
  const matcher = (id: string) => [{ hookCallbackIds: [id] }];

  test('of every kind of the turn are called in order', async () => {
    const hook_callback = answering({ post: { systemMessage: 'post hook ran' } });
    const { session, turn, rest } = hosted({ allowedTools: ['Bash'], cwd: '/work' }, { hook_callback });
    const hooks = {
      UserPromptSubmit: matcher('prompt'),
      PreToolUse: matcher('pre'),
      PostToolUse: matcher('post'),
      SubagentStart: matcher('start'),
      SubagentStop: matcher('end'),
      Stop: matcher('stop'),
    };
    await session.request({ subtype: 'initialize', hooks });
    const messages = await turn('/bash echo a\n/subagent hello');
    expect(hook_callback.mock.calls.map(([{ callback_id }]) => callback_id)).toEqual([
      'prompt',
      'pre',
      'post',
      'pre',
      'start',
      'end',
      'post',
      'stop',
    ]);
    expect(hook_callback.mock.calls[2]?.[0]['input']).toMatchObject({
      hook_event_name: 'PostToolUse',
      tool_name: 'Bash',
      tool_input: { command: 'echo a' },
      tool_response: { stdout: 'a' },
    });
    expect(kinds(messages).slice(0, 4)).toEqual(['system/init', 'assistant', 'user', 'system/informational']);
    expect(messages[3]).toMatchObject({ content: 'PostToolUse:Bash says: post hook ran' });
    await rest();
  });

  test('forbid a call, or change its input', async () => {
    const decided = (members: object) => ({ hookSpecificOutput: { hookEventName: 'PreToolUse', ...members } });
    const hook_callback = answering({
      deny: decided({ permissionDecision: 'deny', permissionDecisionReason: 'no' }),
      change: decided({ permissionDecision: 'allow', updatedInput: { file_path: 'other', content: 'x' } }),
    });
    const can_use_tool = vi.fn(allowing);
    const { session, turn, rest } = hosted({}, { hook_callback, can_use_tool });
    const hooks = {
      PreToolUse: [
        { matcher: 'Bash', hookCallbackIds: ['deny'] },
        { matcher: 'Write', hookCallbackIds: ['change'] },
      ],
    };
    await session.request({ subtype: 'initialize', hooks });
    const messages = await turn('/bash echo a\n/write one 1');
    expect(resultsOf(messages)).toMatchObject([
      { content: 'PreToolUse:Bash hook error: no', is_error: true },
      { content: 'Created /other.', is_error: false },
    ]);
    expect(can_use_tool).not.toHaveBeenCalled();
    expect(endOf(messages)?.['permission_denials']).toMatchObject([{ tool_name: 'Bash' }]);
    await rest();
  });

  test('keep the turn from ending, and put a call off', async () => {
    let stops = 0;
    const hook_callback = vi.fn<RequestHandler>(({ callback_id }) => {
      if (callback_id === 'stop') return stops++ === 0 ? { decision: 'block', reason: 'not yet' } : {};
      return { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'defer' } };
    });
    const { session, turn, rest } = hosted({}, { hook_callback });
    await session.request({ subtype: 'initialize', hooks: { Stop: matcher('stop') } });
    const messages = await turn('/echo one');
    expect(messages.filter(({ type }) => type === 'result')).toMatchObject([{ subtype: 'success' }]);
    expect(textsOf(messages)).toEqual(['one', expect.stringContaining('not yet')]);
    await session.request({ subtype: 'initialize', hooks: { PreToolUse: matcher('pre') } });
    const deferred = await turn('/bash echo a\n/echo never');
    expect(endOf(deferred)).toMatchObject({
      subtype: 'success',
      terminal_reason: 'tool_deferred',
      deferred_tool_use: { name: 'Bash', input: { command: 'echo a' } },
    });
    expect(textsOf(deferred)).toEqual([]);
    await rest();
  });
});

test('a tool of a server in the host is called through it, and a call is cancelled there', async () => {
  const called = vi.fn();
  const mcp_message: RequestHandler = ({ message }) => {
    const { id, method, params } = message as { id?: number; method: string; params?: { name: string } };
    called(method);
    const answer = (result: object) => ({ mcp_response: { jsonrpc: '2.0', id: id ?? 0, result } });
    if (method === 'initialize') return answer({ serverInfo: { name: 'lab', version: '1' } });
    if (method === 'tools/list') return answer({ tools: [{ name: 'add' }, { name: 'slow' }] });
    if (params?.name === 'slow') {
      void interrupt();
      return new Promise((resolve) => (answerLate = () => resolve(answer({ content: [] }))));
    }
    return answer({ content: [{ type: 'text', text: '5' }] });
  };
  let answerLate = () => {};
  const { session, turn, rest } = hosted({ allowedTools: ['mcp__lab'] }, { mcp_message });
  const interrupt = () => session.request({ subtype: 'interrupt' });
  await session.request({ subtype: 'initialize', sdkMcpServers: ['lab'] });
  const messages = await turn('/mcp lab add {"a":2,"b":3}');
  expect(messages[0]).toMatchObject({ mcp_servers: [{ name: 'lab', status: 'connected' }] });
  expect(messages[0]?.['tools']).toContain('mcp__lab__add');
  expect(textsOf(messages)).toEqual(['5']);
  const cut = await turn('/mcp lab slow');
  expect(called.mock.calls.flat()).toEqual([
    'initialize',
    'notifications/initialized',
    'tools/list',
    'tools/call',
    'tools/call',
    'notifications/cancelled',
  ]);
  expect(kinds(cut)).toEqual(['system/init', 'assistant', 'user', 'user', 'result/error_during_execution']);
  expect(endOf(cut)).toMatchObject({ terminal_reason: 'aborted_tools' });
  answerLate();
  expect(await rest()).toEqual([]);
});

test('a background task outlives its turn, and its end starts another turn', async () => {
  const { turn, rest, outcome } = hosted();
  const first = await turn('/background 0.01');
  expect(kinds(first)).toEqual([
    'system/init',
    'assistant',
    'system/background_tasks_changed',
    'system/task_started',
    'user',
    'assistant',
    'result/success',
  ]);
  const second = await rest();
  expect(kinds(second)).toEqual([
    'system/task_updated',
    'system/task_notification',
    'system/background_tasks_changed',
    'system/init',
    'assistant',
    'result/success',
  ]);
  expect(endOf(second)).toMatchObject({
    origin: { kind: 'task-notification' },
    result: 'Background command "sleep 0.01" completed (exit code 0)',
  });
  expect(await outcome).toEqual({ isError: false });
});

test('initialize and init list the commands, tools and agents', async () => {
  const { session, turn, rest } = hosted({ disallowedTools: ['Write'] });
  const answer = await session.request({ subtype: 'initialize' });
  expect(answer).toMatchObject({
    commands: expect.arrayContaining([{ name: 'bash', description: expect.any(String), argumentHint: 'CMD' }]),
    agents: [{ name: 'general-purpose' }],
    models: [{ value: 'default' }],
  });
  const [init] = await turn('/echo a');
  expect(init).toMatchObject({
    tools: ['Read', 'Bash', 'AskUserQuestion', 'Agent'],
    agents: ['general-purpose'],
    slash_commands: expect.arrayContaining(['bash', 'fail']),
  });
  await rest();
});

describe('an interrupt', () => {
  test('keeps what was streamed, counts its costs, and the session goes on', async () => {
    const { session, prompt, until, turn, rest } = hosted({}, {}, true);
    await prompt('/slow 60');
    await until((message) => pieceOf(message) !== '');
    await session.request({ subtype: 'interrupt' });
    const cut = await until(({ type }) => type === 'result');
    expect(cut.find(({ type }) => type === 'assistant')).toMatchObject({ aborted: true });
    expect(Number(endOf(cut)?.['total_cost_usd'])).toBeGreaterThan(0);
    const next = await turn('/echo still here');
    expect(textsOf(next)).toEqual(['still here']);
    expect(Number(endOf(next)?.['total_cost_usd'])).toBeGreaterThan(Number(endOf(cut)?.['total_cost_usd']));
    await rest();
  });

  test('ends each command while it runs', async () => {
    const tools = [
      { name: 'Bash', effect: 'executes', run: () => new Promise<never>(() => {}) },
      { name: 'Read', effect: 'reads', run: () => new Promise<never>(() => {}) },
    ] as const;
    const commands = [
      '/slow 60',
      '/bash a',
      '/read a',
      '/big 67108864',
      '/subagent /bash a',
      '/parallel\n/read a\n/read b',
    ];
    const { session, prompt, until, rest } = hosted({ tools, allowedTools: ['Bash'] }, {}, true);
    for (const command of commands) {
      await prompt(command);
      await until(({ type, event }) => event?.type === 'content_block_delta' || type === 'assistant');
      await session.request({ subtype: 'interrupt' });
      const cut = await until(({ type }) => type === 'result');
      expect(endOf(cut), command).toMatchObject({ subtype: 'error_during_execution', is_error: true });
      const calls = callsOf(cut).map((call) => Reflect.get(call, 'id'));
      const answered = resultsOf(cut).map((result) => Reflect.get(result, 'tool_use_id'));
      expect(answered.filter((id) => id !== undefined)).toEqual(expect.arrayContaining(calls));
    }
    await rest();
  });
});
