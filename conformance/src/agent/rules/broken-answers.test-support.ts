import type { SessionLog } from '../session-log.ts';
import {
  aborted,
  allows,
  asked,
  before,
  calls,
  cancels,
  decides,
  interrupts,
  ran,
  refuses,
  registered,
  registers,
  request,
  second,
  success,
  text,
  waits,
} from './broken-decisions.test-support.ts';
import {
  answer,
  answered,
  ask,
  assistant,
  begins,
  call,
  denies,
  done,
  ends,
  hook,
  init,
  type Part,
  prompt,
  reply,
  result,
  says,
  serverCall,
  session,
  sets,
  state,
  succeeds,
  task,
  deniedResult,
  toServer,
  user,
} from './sessions.test-support.ts';

const failed = user([{ ...done, is_error: true }]);
const listed = result({ permission_denials: [{ tool_name: 'Bash', tool_use_id: 't1', tool_input: {} }] });
const hooked = (event: string, id = 'h1', more: object = {}) => ({ ...hook(event, more), request_id: id });
const submits = hooked('UserPromptSubmit', 'h1', { prompt: 'hi' });
const registersWithTimeout = sets('initialize', {
  hooks: { UserPromptSubmit: [{ hookCallbackIds: ['h1'], timeout: 1 }] },
});
const stops = hooked('Stop', 'h1', { stop_hook_active: false });
const race = hooked('PermissionRequest', 'h1', { tool_input: {} });
const raced = (behavior: string) =>
  success('h1', { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior } } });
const blocks = success('h1', { decision: 'block', reason: 'Look again.' });
const lab = { ...ask(), request: { ...ask().request, tool_name: 'mcp__lab__add', input: { a: 1 } } };
const [calling = {}, called = {}] = calls('m1', {});
const askedServer = [init(), assistant([serverCall]), lab];
const mode = (permissionMode: string) => begins({ permissionMode });

/** For each rule about what follows an answer, or its absence, a session that breaks it. */
export const brokenAnswers: Readonly<Record<string, SessionLog>> = {
  'answer/mode-accepted': session([sets('set_permission_mode', { mode: 'plan' }), answer('r1')]),
  'answer/no-bypass': session([mode('bypassPermissions'), result()]),
  'answer/hooks-form': session([registers({ Stop: [{ matcher: 'a' }] }), succeeds({})]),
  'permission/denial-goes-on': session([...asked, denies, deniedResult, result()]),
  'permission/denial-that-interrupts': session([
    ...asked,
    success('q1', { behavior: 'deny', message: 'no', interrupt: true }),
    deniedResult,
    result(),
  ]),
  'permission/failure-is-listed': session([...asked, refuses, failed, reply('m2'), result()]),
  'permission/denials-of-the-turn': session([...asked, denies, deniedResult, reply('m2'), listed, init(), listed]),
  'permission/second-answer': session([...asked, denies, allows, deniedResult, ran, reply('m2'), result()]),
  'permission/approved-is-not-denied': session([...asked, allows, failed, reply('m2'), listed]),
  'permission/not-given-up': session([...asked, cancels('q1'), failed, reply('m2'), result()]),
  'permission/dont-ask-denies': session([
    ...asked,
    denies,
    deniedResult,
    reply('m2'),
    listed,
    mode('dontAsk'),
    assistant([second]),
    user([{ ...done, tool_use_id: 't2' }]),
  ]),
  'hook/blocked-prompt': session([prompt, submits, blocks, init(), assistant(), answered()]),
  'hook/timeout-cancels': session([registersWithTimeout, succeeds({}), prompt, submits, 4000, init(), answered()]),
  'hook/prompt-timeout': session([
    registersWithTimeout,
    succeeds({}),
    prompt,
    submits,
    1000,
    cancels('h1'),
    init(),
    assistant(),
    answered(),
  ]),
  'hook/prompt-waits': session([prompt, submits, init(), assistant(), answered()]),
  'hook/blocked-stop': session([init(), assistant(), stops, blocks, result()]),
  'hook/stopped': session([
    init(),
    assistant([call]),
    hooked('PostToolUse', 'h1', { tool_input: {}, tool_response: '' }),
    success('h1', { continue: false }),
    ran,
    reply('m2'),
    result(),
  ]),
  'hook/tool-waits': session([init(), assistant([call]), before(), ran, result()]),
  'hook/end-blocks': endsWithin([init(), assistant([call]), before()], [ran, reply('m2'), result()]),
  'hook/allowed-runs': session([init(), assistant([call]), before(), decides('allow'), failed, listed]),
  'hook/failure-decides-nothing': session([init(), assistant([call]), before(), says(answer('h1')), failed, listed]),
  'hook/of-the-outcome': session([
    init(),
    assistant([call]),
    hooked('PostToolUse', 'h1', { tool_input: {}, tool_response: '' }),
    success('h1', {}),
    failed,
    reply('m2'),
    result(),
  ]),
  'hook/matcher-left-out': session([
    registers({ PostToolUse: [{ matcher: null, hookCallbackIds: ['h1'] }] }),
    registered,
    init(),
    assistant([call]),
    ran,
    result(),
  ]),
  'race/approval-holds': session([...asked, race, raced('allow'), cancels('q1'), failed, reply('m2'), listed]),
  'race/question-cancelled': session([...asked, race, raced('allow'), ran, reply('m2'), result()]),
  'race/answer-holds': session([...asked, race, denies, raced('allow'), ran, reply('m2'), result()]),
  'race/of-each-question': session([
    registers({ PermissionRequest: [{ hookCallbackIds: ['h1'] }] }),
    registered,
    ...asked,
    allows,
    ran,
    reply('m2'),
    result(),
  ]),
  'interrupt/none-left': session([
    init(),
    says({ type: 'control_request', request_id: 'i1', request: { subtype: 'interrupt', cancel_queued: true } }),
    answer('i1', { subtype: 'success', response: { still_queued: [], cancelled: [] } }),
    result(),
    init(),
    result(),
  ]),
  'permission/server-waits': session([...askedServer, calling]),
  'permission/denied-server-call': session([
    ...askedServer,
    denies,
    calling,
    called,
    deniedResult,
    reply('m2'),
    result(),
  ]),
  'permission/failed-server-call': session([...askedServer, refuses, calling, called, failed, reply('m2'), result()]),
  'hook/denied-server-call': session([init(), assistant([serverCall]), before(), decides('deny'), calling]),
  'interrupt/withdrawn-server-call': session([...askedServer, cancels('q1'), calling]),
  'mcp/called': session([
    toServer('s1', { id: 0, method: 'initialize', params: {} }),
    init(),
    assistant([serverCall]),
    ran,
    result(),
  ]),
  'mcp/result-waits': session([init(), assistant([serverCall]), calling, ran, result()]),
  'mcp/late-answer': session([
    init(),
    assistant([serverCall]),
    calling,
    failed,
    reply('m2'),
    result(),
    called,
    init(),
    ran,
    reply('m3'),
    result(),
  ]),
  'mcp/connects-of-the-command-line': session([init(), result()], {
    args: ['--mcp-config', '{"mcpServers":{"lab":{"type":"sdk","name":"lab"}}}'],
  }),
  'mcp/parked': session([
    sets('initialize', { sdkMcpServers: ['lab'], sdkMcpServerManifests: { lab: {} } }),
    succeeds({ sdk_mcp_manifests_parked: { lab: 'parked' } }),
    toServer('s1', { id: 0, method: 'initialize', params: {} }),
  ]),
  'mcp/disabled-tools': session([
    begins({ mcp_servers: [{ name: 'lab', status: 'connected' }] }),
    result(),
    sets('mcp_toggle', { serverName: 'lab', enabled: false }),
    registered,
    begins({ mcp_servers: [{ name: 'lab', status: 'connected' }], tools: ['mcp__lab__add'] }),
  ]),
  'dialog/listed-kind': session([
    sets('initialize', { supportedDialogKinds: ['confirm'] }),
    registered,
    { type: 'control_request', request_id: 'd1', request: { subtype: 'request_user_dialog', dialog_kind: 'choose' } },
  ]),
  'interrupt/answered-before-the-text': session([
    init(),
    ...interrupts.slice(0, 1),
    text('[Request interrupted by user]'),
    ...interrupts.slice(1),
    aborted(),
  ]),
  'interrupt/of-no-later-turn': session([
    ...interrupts,
    prompt,
    init(),
    text('[Request interrupted by user]'),
    aborted(),
  ]),
  'interrupt/same-session': session([
    init(),
    ...interrupts,
    text('[Request interrupted by user]'),
    aborted(),
    begins({ session_id: 's2' }),
  ]),
  'interrupt/calls-have-results': session([
    ...asked,
    ...interrupts,
    cancels('q1'),
    text('[Request interrupted by user for tool use]'),
    aborted({ terminal_reason: 'aborted_tools' }),
  ]),
  'interrupt/queued-run': session([
    waits('p1'),
    state('p1', 'queued'),
    request('i1', 'interrupt'),
    answer('i1', { subtype: 'success', response: { still_queued: ['p1'] } }),
  ]),
  'interrupt/one-turn-only': session([
    waits('p1'),
    state('p1', 'queued'),
    request('i1', 'interrupt'),
    answer('i1', { subtype: 'success', response: { still_queued: ['p1'] } }),
    state('p1', 'started'),
    init(),
    result({ subtype: 'error_during_execution', is_error: true }),
    state('p1', 'cancelled'),
  ]),
  'task/own-messages': session([
    init(),
    assistant([
      { ...call, name: 'Task' },
      { ...call, id: 't2', name: 'Task' },
    ]),
    assistant([{ type: 'text', text: 'From a subagent.' }], { parent_tool_use_id: 't2' }),
    user([done]),
    result(),
  ]),
  'task/origin': session([task('task_started'), ends(), init(), assistant(), result()]),
  'task/begin-listed': session([init(), task('task_started', { is_backgrounded: true }), ends(), result()]),
};

/** A session whose input ends before its last lines. */
function endsWithin(first: readonly Part[], last: readonly Part[]): SessionLog {
  const { events, ...rest } = session([...first, ...last]);
  const end = events.filter(({ kind }) => kind === 'input-ended');
  const others = events.filter(({ kind }) => kind !== 'input-ended');
  return { ...rest, events: [...others.slice(0, first.length), ...end, ...others.slice(first.length)] };
}
