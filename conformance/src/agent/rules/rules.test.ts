import { describe, expect, test } from 'vitest';

import type { SessionLog } from '../session-log.ts';
import { brokenAnswers } from './broken-answers.test-support.ts';
import {
  aborted,
  asked,
  before,
  brokenDecisions,
  cancels,
  decides,
  interrupts,
  ran,
  request,
  success,
  text,
  waits,
} from './broken-decisions.test-support.ts';
import { brokenRequests } from './broken-requests.test-support.ts';
import { brokenRules, rules } from './index.ts';
import {
  answer,
  answered,
  ask,
  asks,
  assistant,
  begins,
  call,
  calls,
  denied,
  denies,
  done,
  ends,
  event,
  hook,
  init,
  later,
  mirror,
  own,
  partial,
  prompt,
  registers,
  reply,
  result,
  same,
  says,
  serverCall,
  session,
  sets,
  state,
  states,
  succeeds,
  task,
  deniedResult,
  toServer,
  used,
  user,
} from './sessions.test-support.ts';

/** For each rule, a session that breaks it. */
const broken: Readonly<Record<string, SessionLog>> = {
  ...brokenAnswers,
  ...brokenDecisions,
  ...brokenRequests,
  'framing/only-the-protocol': session(['loading', init()]),
  'framing/objects': session(['[1]']),
  'framing/line-feed': unended(),
  'framing/no-carriage-return': session(['{"type":"keep_alive"}\r']),
  'framing/utf-8': notUtf8(),
  'framing/escaped-separators': session([`{"type":"keep_alive","a":"\u2028"}`]),
  'framing/length': session([`{"type":"keep_alive","a":"${'x'.repeat(1_048_576)}"}`]),
  'wire/type': session([{ ...own() }]),
  'wire/schema-valid': session([init(), { ...result(), usage: undefined }]),
  'wire/optional-members': session([init(), result({ modelUsage: { m: { inputTokens: '1' } } })]),
  'wire/uuid': session([init(), { ...result(), uuid: undefined }]),
  'wire/session-id': session([init(), { ...result(), session_id: undefined }]),
  'wire/unique-uuid': session([init(), same, same, result()]),
  'wire/one-session': session([init(), result({ session_id: 's2' })]),
  'result/error-flag': session([init(), result({ subtype: 'error_max_turns', errors: [] })]),
  'result/index': session([init(), result({ result_index: 1 })]),
  'result/costs': session([init(), result(), init(), result({ total_cost_usd: 0.1 })]),
  'partial/only-with-flag': session([init(), ...partial, assistant([{ type: 'text', text: 'ho' }]), result()]),
  'mirror/only-with-flag': session([{ type: 'transcript_mirror', filePath: '/a', entries: [] }]),
  'mirror/once': session([mirror, mirror], { args: ['--session-mirror'] }),
  'suggestions/only-on-request': session([{ type: 'prompt_suggestion', suggestion: 'a', ...own() }]),
  'request/form': session([{ type: 'control_request', request: { subtype: 'can_use_tool' } }]),
  'response/form': session([asks, { type: 'control_response', response: { request_id: 'r1' } }]),
  'response/known-id': session([asks, answer('r2')]),
  'response/once': session([asks, answer('r1'), answer('r1')]),
  'response/always': session([asks]),
  'response/payload': session([asks, answer('r1', { subtype: 'success', response: { commands: 1 } })]),
  'response/optional-members': session([
    { sent: { type: 'control_request', request_id: 'r1', request: { subtype: 'interrupt' } } },
    answer('r1', { subtype: 'success', response: { still_queued: 1 } }),
  ]),
  'request/unique-id': session([init(), assistant([call]), ask(), ask()]),
  'permission/only-with-flag': session([init(), assistant([call]), ask()], { args: [] }),
  'permission/known-call': session([init(), assistant([call]), ask('q1', 't2')]),
  'turn/init-first': session([prompt, assistant(), init(), result()]),
  'turn/one-result': session([init(), result(), result()]),
  'turn/nothing-after-result': session([init(), result(), assistant()]),
  'turn/has-result': session([init(), assistant()]),
  'tool/result-before-turn-ends': session([init(), assistant([call]), result()]),
  'tool/known-call': session([init(), user([done]), result()]),
  'tool/one-result': session([init(), assistant([call]), user([done]), user([done]), result()]),
  'tool/known-parent': session([init(), assistant([], { parent_tool_use_id: 't9' }), result()]),
  'tool/waits-for-subagent': session([
    init(),
    assistant([{ ...call, name: 'Task' }]),
    task('task_started', { tool_use_id: 't1', task_type: 'local_agent' }),
    { ...assistant(), message: { ...assistant().message, id: 'm2' } },
    user([done]),
    result(),
  ]),
  'tool/not-while-asked': session([init(), assistant([call]), ask(), user([done]), result()]),
  'echo/only-with-flag': session([prompt, init(), user([], { uuid: 'p1', isReplay: true }), result()]),
  'state/idle-at-the-end': session([{ type: 'system', subtype: 'session_state_changed', state: 'running', ...own() }]),
  'lifecycle/known-prompt': session([prompt, state('p2', 'queued')]),
  'lifecycle/queued-first': session([prompt, init(), state('p1', 'started'), result()]),
  'lifecycle/final-state': session([prompt, state('p1', 'queued'), state('p1', 'started'), init(), result()]),
  'partial/whole-block': session([init(), ...partial, assistant(), result()]),
  'task/started-first': session([init(), task('task_updated'), result()]),
  'result/known-prompts': session([prompt, init(), result({ user_message_uuids: ['p2'] })]),
  'result/prompt-once': session([prompt, init(), answered(), init(), answered()]),
  'result/denied-calls': session([init(), result({ permission_denials: [{ tool_name: 'Bash', tool_use_id: 't1' }] })]),
  'result/last-text': session([init(), assistant(), result({ result: 'ho' })]),
  'hook/registered': session([registers, answer('r1'), calls('h2')]),
  'cancel/own-request': session([{ type: 'control_cancel_request', request_id: 'q9' }]),
  'mirror/order': session([init(), same, later, { ...mirror, entries: [later, same] }, result()]),
  'echo/once': session([prompt, init(), ...[0, 1].map(() => user([], { uuid: 'p1', isReplay: true })), result()]),
  'lifecycle/after-result': session([prompt, state('p1', 'queued'), init(), state('p1', 'completed'), answered()]),
  'partial/order': session([
    init(),
    event('message_start', { message: { id: 'm1' } }),
    event('message_start'),
    result(),
  ]),
  'partial/input': session([
    init(),
    event('message_start', { message: { id: 'm1' } }),
    event('content_block_start', { index: 0, content_block: { ...call, input: {} } }),
    event('content_block_delta', { index: 0, delta: { type: 'input_json_delta', partial_json: '{"a":1}' } }),
    assistant([{ ...call, input: { a: 2 } }]),
    result(),
  ]),
  'partial/every-reply': session([init(), event('message_start', { message: { id: 'm9' } }), assistant(), result()], {
    args: ['--include-partial-messages'],
  }),
  'setting/model': session([sets('set_model', { model: 'm2' }), succeeds({}), prompt, init(), answered()]),
  'setting/default-model': session([
    prompt,
    init(),
    answered(),
    sets('set_model', { model: null }),
    succeeds({}),
    prompt,
    begins({ model: 'm2' }),
    answered(),
  ]),
  'setting/mode': session([
    sets('set_permission_mode', { mode: 'plan' }),
    succeeds({ mode: 'plan' }),
    prompt,
    init(),
    answered(),
  ]),
  'setting/mode-reported': session([sets('set_permission_mode', { mode: 'plan' }), succeeds({ mode: 'plan' })]),
  'interrupt/ends-the-turn': session([
    prompt,
    init(),
    sets('interrupt', {}),
    succeeds({ still_queued: [] }),
    answered(),
  ]),
  'tool/unique-call': session([init(), assistant([call]), user([done]), assistant([call]), result()]),
  'reply/one-id': session([
    init(),
    assistant([call]),
    { ...assistant([{ ...call, id: 't2' }]), message: { ...assistant([{ ...call, id: 't2' }]).message, id: 'm2' } },
    user([done]),
    result(),
  ]),
  'tool/same-parent': session([init(), assistant([call]), user([done], { parent_tool_use_id: 't1' }), result()]),
  'permission/same-call': session([
    init(),
    assistant([{ ...call, input: { a: 1 } }]),
    ask(),
    denies,
    deniedResult,
    result(),
  ]),
  'permission/asked-once': session([init(), assistant([call]), ask(), denies, ask('q2'), deniedResult, result()]),
  'permission/none-left-open': session([init(), assistant([call]), ask(), user([done]), result()]),
  'cancel/open-request': session([
    init(),
    assistant([call]),
    ask(),
    denies,
    { type: 'control_cancel_request', request_id: 'q1' },
    deniedResult,
    result(),
  ]),
  'permission/denial-is-listed': session([init(), assistant([call]), ask(), denies, deniedResult, result()]),
  'permission/denial-is-reported': session([init(), assistant([call]), ask(), denies, user([done]), result()]),
  'hook/denial-is-listed': session([
    init(),
    assistant([call]),
    { ...hook('PreToolUse', { tool_input: {} }), request_id: 'q1' },
    says(
      answer('q1', {
        subtype: 'success',
        response: { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny' } },
      }),
    ),
    user([{ ...done, is_error: true }]),
    result(),
  ]),
  'hook/input': session([init(), assistant([call]), hook('PreToolUse', { cwd: undefined }), user([done]), result()]),
  'turn/one-init': session([init(), init(), result()]),
  'prompt/answered': session([prompt, state('p1', 'queued'), init(), result()]),
  'result/started-prompts': session([prompt, state('p1', 'queued'), state('p1', 'started'), init(), result()]),
  'lifecycle/once': session([prompt, state('p1', 'queued'), state('p1', 'queued'), init(), answered()]),
  'echo/always': session([prompt, init(), answered()], { args: ['--replay-user-messages'] }),
  'echo/of-equal-prompts': session(
    [...Array(2).fill(says({ type: 'user', message: { role: 'user', content: 'hi' } })), init(), result()],
    { args: ['--replay-user-messages'] },
  ),
  'echo/content': session([
    prompt,
    init(),
    user([{ type: 'text', text: 'ho' }], { uuid: 'p1', isReplay: true }),
    answered(),
  ]),
  'state/idle-within-a-turn': session([init(), states('idle'), result()]),
  'state/running-again': session([init(), states('requires_action'), result(), states('idle')]),
  'task/one-start': session([init(), task('task_started'), task('task_started'), ends(), result()]),
  'task/one-end': session([init(), task('task_started'), ends(), ends(), result()]),
  'task/list-of-the-running': session([
    init(),
    task('task_started'),
    ends(),
    { type: 'system', subtype: 'background_tasks_changed', tasks: [{ task_id: 'k1' }], ...own() },
    result(),
  ]),
  'mcp/json-rpc': session([toServer('q1', { id: 1, method: 'notifications/initialized' })]),
  'mcp/cancels-open-call': session([
    toServer('q1', { id: 1, method: 'tools/call' }),
    says(answer('q1', { subtype: 'success', response: {} })),
    toServer('q2', { method: 'notifications/cancelled', params: { requestId: 2 } }),
  ]),
  'result/usage-of-the-turn': session([init(), result(used(6))]),
  'result/usage-of-all-replies': session([
    init(),
    reply('m1', { usage: { input_tokens: 2 } }),
    reply('m2', { usage: { input_tokens: 1 } }),
    result({ ...used(3), usage: { input_tokens: 1 } }),
  ]),
  'result/costs-of-models': session([init(), result({ ...used(3), total_cost_usd: 0.1 })]),
  'result/error-of-the-api': session([init(), assistant(), result({ is_error: true })]),
  'result/stop-reason': session([
    init(),
    event('message_delta', { delta: { stop_reason: 'max_tokens' } }),
    assistant(),
    result(),
  ]),
  'reply/unique-id': session([init(), assistant([call]), user([done]), assistant(), result()]),
  'reply/present-model': session([begins({ model: 'm' }), result(), begins({ model: 'm2' }), reply('m2'), result()]),
  'reply/no-stop-reason': session([init(), reply('m1', { stop_reason: 'end_turn' }), result()]),
  'init/same': session([init(), result(), begins({ cwd: '/a' }), result()]),
  'init/tools-once': session([begins({ tools: ['Bash', 'Bash'] }), result()]),
  'init/servers-once': session([begins({ mcp_servers: Array(2).fill({ name: 'a', status: 'connected' }) }), result()]),
  'init/tools-of-servers': session([
    begins({ tools: ['mcp__a__b'], mcp_servers: [{ name: 'a', status: 'failed' }] }),
    result(),
  ]),
  'state/running-in-a-turn': session([states('running'), init(), result(), states('idle'), init(), result()]),
  'reset/old-session': session([
    init(),
    result(),
    { type: 'conversation_reset', new_conversation_id: 'c', trigger: 'clear', ...own(), session_id: 's2' },
  ]),
  'denial/same-call': session([init(), assistant([call]), user([done]), result({ permission_denials: [denied] })]),
  'denial/reported-call': session([
    init(),
    assistant([call]),
    { type: 'system', subtype: 'permission_denied', tool_name: 'Write', tool_use_id: 't1', ...own() },
  ]),
  'hook/same-input': session([init(), assistant([call]), hook('PreToolUse', { tool_input: { a: 1 } })]),
  'hook/same-session': session([init(), assistant([call]), hook('PreToolUse', { tool_input: {}, cwd: '/a' })]),
  'hook/known-call': session([init(), hook('PreToolUse', { tool_input: {} })]),
  'mcp/same-call': session([
    init(),
    assistant([serverCall]),
    toServer('q1', { id: 1, method: 'tools/call', params: { name: 'add', arguments: { a: 2 } } }),
  ]),
  'task/same-call': session([
    init(),
    assistant([call]),
    task('task_started', { tool_use_id: 't1' }),
    ends({ tool_use_id: 't2' }),
  ]),
  'request/never-again': session([
    init(),
    assistant([call]),
    ask(),
    denies,
    deniedResult,
    hook('PreToolUse'),
    ask('q1'),
  ]),
  'setting/mode-answered': session([sets('set_permission_mode', { mode: 'plan' }), succeeds({ mode: 'default' })]),
  'interrupt/still-queued': session([
    prompt,
    state('p1', 'queued'),
    state('p1', 'started'),
    init(),
    sets('interrupt', {}),
    succeeds({ still_queued: ['p1'] }),
  ]),
  'lifecycle/over': session([
    prompt,
    state('p1', 'queued'),
    init(),
    answered(),
    state('p1', 'completed'),
    state('p1', 'queued'),
  ]),
  'hook/denial-is-reported': session([
    init(),
    assistant([call]),
    { ...hook('PreToolUse', { tool_input: {} }), request_id: 'q1' },
    says(
      answer('q1', {
        subtype: 'success',
        response: {
          hookSpecificOutput: {
            hookEventName: 'PreToolUse',
            permissionDecision: 'deny',
            permissionDecisionReason: 'Not here.',
          },
        },
      }),
    ),
    user([{ ...done, is_error: true }]),
  ]),
};

function unended(): SessionLog {
  const line = { text: '{"type":"keep_alive"}', bytes: 21, ended: false, isUtf8: true };
  return { ...session([]), events: [{ kind: 'received', t: 0, line, value: { type: 'keep_alive' } }] };
}

function notUtf8(): SessionLog {
  const line = { text: '{"type":"keep_alive"}', bytes: 21, ended: true, isUtf8: false };
  return { ...session([]), events: [{ kind: 'received', t: 0, line, value: { type: 'keep_alive' } }] };
}

describe('rules', () => {
  test.each(rules.map(({ name }) => name))('%s is broken by a session', (name) => {
    const log = broken[name];
    expect(log).toBeDefined();
    if (log !== undefined) expect(brokenRules(log).map(({ rule }) => rule)).toContain(name);
  });

  test('a session without a fault breaks none', () => {
    const good = session([
      asks,
      answer('r1'),
      prompt,
      state('p1', 'queued'),
      state('p1', 'started'),
      init(),
      assistant([call]),
      ask(),
      { sent: answer('q1', { subtype: 'success', response: { behavior: 'allow' } }) },
      user([done]),
      reply('m2'),
      answered(),
      state('p1', 'completed'),
    ]);
    expect(brokenRules(good)).toEqual([]);
  });

  test('a call that had run when its hook was cancelled may succeed (INT-13)', () => {
    const input = { hook_event_name: 'PostToolUse', tool_name: 'Bash' };
    const after = { subtype: 'hook_callback', callback_id: 'after', tool_use_id: 't1', input };
    const cut = session([
      ...asked,
      { sent: answer('q1', { subtype: 'success', response: { behavior: 'allow' } }) },
      { type: 'control_request', request_id: 'q2', request: after },
      cancels('q2'),
      ...interrupts,
      ran,
      text('[Request interrupted by user for tool use]'),
      aborted({ terminal_reason: 'aborted_tools' }),
    ]);
    expect(brokenRules(cut).filter(({ spec }) => spec === 'INT-13')).toEqual([]);
  });

  test('a call whose permission request was withdrawn because a hook has approved the call may succeed (INT-13)', () => {
    const input = { hook_event_name: 'PermissionRequest', tool_name: 'Bash', tool_input: {} };
    const log = (behavior: string) =>
      session([
        ...asked,
        { type: 'control_request', request_id: 'q2', request: { subtype: 'hook_callback', callback_id: 'h1', input } },
        { sent: answer('q2', { subtype: 'success', response: { hookSpecificOutput: { decision: { behavior } } } }) },
        cancels('q1'),
        ...interrupts,
        ran,
        text('[Request interrupted by user for tool use]'),
        aborted({ terminal_reason: 'aborted_tools' }),
      ]);
    const broken = (behavior: string) => brokenRules(log(behavior)).map(({ rule }) => rule);
    expect(broken('allow')).not.toContain('interrupt/open-calls-fail');
    expect(broken('deny')).toContain('interrupt/open-calls-fail');
  });

  test('the reason of a decision that the text does not define may be reported for a denial (HOK-50)', () => {
    const answers = (decisions: readonly string[]) =>
      decisions.flatMap((permissionDecision, at) => {
        const id = `q${at}`;
        const output = { hookEventName: 'PreToolUse', permissionDecision, permissionDecisionReason: `Reason ${at}.` };
        return [
          { ...hook('PreToolUse', { tool_input: {} }), request_id: id },
          says(answer(id, { subtype: 'success', response: { hookSpecificOutput: output } })),
        ];
      });
    const ended = (content: string) => [user([{ ...done, content, is_error: true }]), result()];
    const broken = (decisions: readonly string[], content: string) =>
      brokenRules(session([init(), assistant([call]), ...answers(decisions), ...ended(content)]))
        .map(({ rule }) => rule)
        .filter((rule) => rule === 'hook/denial-is-reported');
    expect(broken(['later', 'deny'], 'Reason 0.')).toEqual([]);
    expect(broken(['later', 'deny'], 'Reason 1.')).toEqual([]);
    expect(broken(['later'], 'Something else.')).toEqual([]);
    expect(broken(['ask', 'deny'], 'Reason 0.')).toEqual(['hook/denial-is-reported']);
  });

  test('a hook is not open for longer than its timeout because the suite did not read (HOK-29)', () => {
    const log = brokenAnswers['hook/timeout-cancels'] ?? session([]);
    const unread = {
      ...log,
      events: log.events.map((event) => ({ ...event, unreadTime: event.t >= 4000 ? 3000 : 0 })),
    };
    const broken = (each: typeof log) => brokenRules(each).map(({ rule }) => rule);
    expect(broken(log)).toContain('hook/timeout-cancels');
    expect(broken(unread)).not.toContain('hook/timeout-cancels');
  });

  test('a prompt that an earlier interrupt has removed cannot be withdrawn (INT-18)', () => {
    const withdraws = [request('r2', 'cancel_async_message', { message_uuid: 'p1' })];
    const refused = answer('r2', { subtype: 'success', response: { cancelled: false } });
    const removes = [request('r3', 'interrupt', { cancel_queued: true })];
    const removed = answer('r3', { subtype: 'success', response: { still_queued: [], cancelled: ['p1'] } });
    const broken = (...parts: Parameters<typeof session>[0]) =>
      brokenRules(session([waits('p1'), state('p1', 'queued'), ...parts])).map(({ rule }) => rule);
    expect(broken(...removes, ...withdraws, refused, removed)).not.toContain('withdraw/waiting');
    expect(broken(...withdraws, ...removes, refused, removed)).toContain('withdraw/waiting');
  });

  test('the hooks of the last initialize apply, in whatever order the requests are answered (HOK-4)', () => {
    const ask = (id: string, hooks: object) => request(id, 'initialize', { hooks });
    const accepted = (id: string) => answer(id, { subtype: 'success', response: {} });
    const [first, second] = [ask('r2', {}), ask('r3', { PreToolUse: [{ hookCallbackIds: ['h1'] }] })];
    const broken = (...asked: Parameters<typeof session>[0]) =>
      brokenRules(session([...asked, accepted('r3'), accepted('r2'), init(), assistant([call]), before()])).map(
        ({ rule }) => rule,
      );
    expect(broken(first, second)).not.toContain('hook/replaced');
    expect(broken(second, first)).toContain('hook/replaced');
  });

  test('an empty block of a streamed reply has no pieces (MSG-21)', () => {
    const empty = assistant([{ type: 'text', text: '' }]);
    const broken = (...parts: Parameters<typeof session>[0]) => brokenRules(session(parts)).map(({ rule }) => rule);
    expect(broken(init(), ...partial, empty)).not.toContain('partial/whole-block');
    expect(broken(init(), ...partial, assistant([{ type: 'text', text: 'x' }]))).toContain('partial/whole-block');
  });

  test('a call is not asked about again if only a hook had asked for the question (PRM-2)', () => {
    const log = (...decided: Parameters<typeof session>[0]) =>
      session([
        init(),
        assistant([call]),
        ...decided,
        ask(),
        success('q1', { behavior: 'allow' }),
        ran,
        assistant([{ ...call, id: 't2' }]),
        user([{ ...done, tool_use_id: 't2' }]),
        result(),
      ]);
    const hooked = log(before(), decides('ask'));
    const broken = (each: SessionLog) => brokenRules(each).map(({ rule }) => rule);
    const args = ['--permission-prompt-tool', 'stdio'];
    expect(broken({ ...hooked, args })).not.toContain('permission/asked-again');
    expect(broken({ ...log(), args })).toContain('permission/asked-again');
  });

  test('a denial may have no effect if an earlier denial of the turn ends it (PRM-16)', () => {
    const ends = { behavior: 'deny', message: 'Stop.', interrupt: true };
    const second = { ...call, id: 't2' };
    const results = [
      user([
        { ...done, is_error: true },
        { ...done, tool_use_id: 't2', is_error: true },
      ]),
    ];
    const broken = (first: object) =>
      brokenRules(
        session([
          init(),
          assistant([call, second]),
          ask(),
          success('q1', first),
          { ...ask(), request_id: 'q2', request: { ...ask().request, tool_use_id: 't2' } },
          success('q2', { behavior: 'deny', message: 'Not here.' }),
          ...results,
          result(),
        ]),
      ).map(({ rule }) => rule);
    expect(broken(ends)).not.toContain('permission/denial-is-reported');
    expect(broken({ behavior: 'allow' })).toContain('permission/denial-is-reported');
  });

  test('an answer may cross a cancel that a prompt without a uuid causes (CTL-41)', () => {
    const now = (more: object) =>
      says({ type: 'user', priority: 'now', message: { role: 'user', content: 'hi' }, ...more });
    const broken = (...parts: Parameters<typeof session>[0]) =>
      brokenRules(
        session([...parts, init(), result(), init(), assistant([call]), ask(), success('q1', {}), cancels('q1')]),
      ).map(({ rule }) => rule);
    expect(broken(now({}))).not.toContain('cancel/open-request');
    expect(broken()).toContain('cancel/open-request');
  });

  test('each cites a requirement that binds agents', () => {
    expect(new Set(rules.map(({ name }) => name)).size).toBe(rules.length);
    expect(rules.filter(({ spec }) => !/^(FRM|MSG|CTL|TRN|PRM|HOK|MCP|INT|CLI)-\d+$/.test(spec))).toEqual([]);
  });
});
