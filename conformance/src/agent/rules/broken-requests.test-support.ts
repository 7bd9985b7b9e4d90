import type { SessionLog } from '../session-log.ts';
import {
  answer,
  assistant,
  begins,
  call,
  done,
  init,
  own,
  prompt,
  result,
  says,
  session,
  sets,
  state,
  succeeds,
  user,
  wrongEnd,
} from './sessions.test-support.ts';

const FLAGS = ['--input-format', 'stream-json'];
const request = (id: string, subtype: string, more: object = {}) =>
  says({ type: 'control_request', request_id: id, request: { subtype, ...more } });
const success = (id: string, response: object = {}) => answer(id, { subtype: 'success', response });
const echo = () => user([], { isReplay: true, uuid: 'p1' });

/** For each rule about requests, the process and the figures of a turn, a session that breaks it. */
export const brokenRequests: Readonly<Record<string, SessionLog>> = {
  'process/stays': early(),
  'framing/one-object': session(['{"type":"keep_alive"}{"type":"keep_alive"}']),
  'lifecycle/always': session([prompt, state('p1', 'queued'), init(), result({ user_message_uuids: ['p1'] })]),
  'process/accepts-flags': session([], { exit: 1, args: ['--replay-user-messages'] }),
  'process/refuses-silently': session(['Error: no such flag'], { exit: 1 }),
  'process/ends-its-turn': session([prompt, init(), assistant()]),
  'process/runs-what-waits': session([init(), prompt, result()]),
  'process/exit-code-without-turn': wrongEnd([sets('interrupt', {}), succeeds({})], 1),
  'process/exit-code': wrongEnd([init(), result()], 1),
  'process/error-exit-code': wrongEnd([init(), result({ is_error: true })], 0),
  'process/whole-output': session([init(), '{"type":"res']),
  'process/answers-before-exit': session([sets('mcp_status', {})]),
  'answer/unknown-subtype': session([request('r1', 'conformance_no_such_request'), success('r1')]),
  'answer/unknown-code': session([request('r1', 'conformance_no_such_request'), answer('r1')]),
  'answer/other-direction': session([request('r1', 'hook_callback'), success('r1')]),
  'answer/wrong-arguments': session([request('r1', 'stop_task', { task_id: null }), success('r1')]),
  'answer/initialize': session([request('r1', 'initialize'), success('r1', { commands: [] })]),
  'answer/while-a-turn-runs': late(),
  'cancel/no-answer': session([says({ type: 'control_cancel_request', request_id: 'r1' }), success('r1')]),
  'keep-alive/no-answer': session([says({ type: 'keep_alive', request_id: 'k1' }), success('k1')]),
  'elicitation/answer-of-the-user': question(
    success('q1', { action: 'accept', content: { a: 1 } }),
    answers({ action: 'accept' }),
  ),
  'elicitation/answered': question(success('q1', { action: 'decline' }), sets('mcp_status', {}), succeeds({})),
  'elicitation/no-approval': question(answer('q1'), answers({ action: 'accept' })),
  'echo/repeated': session([prompt, prompt, init(), echo(), result({ user_message_uuids: ['p1'] })], {
    args: ['--replay-user-messages'],
  }),
  'turn/after-a-prompt': session([init(), prompt, init(), result()], { args: FLAGS }),
  'queue/one-turn': session([prompt, init(), state('p2', 'started'), init(), result()]),
  'reset/announced': session([init(), result(), begins({ session_id: 's2' }), result({ session_id: 's2' })]),
  'tool/denied-is-error': session([
    init(),
    assistant([call]),
    user([done]),
    result({ permission_denials: [{ tool_name: 'Bash', tool_use_id: 't1', tool_input: {} }] }),
  ]),
  'result/reason-of-a-text': session([init(), assistant(), result({ stop_reason: 'tool_use' })]),
  'result/rounds': session([init(), assistant(), result({ num_turns: 3 })]),
  'reply/null-parent': session([init(), assistant([call]), user([done], { parent_tool_use_id: 't1' }), result()]),
  'flag/max-turns-early': session(
    [init(), assistant(), result({ subtype: 'error_max_turns', is_error: true, errors: [] })],
    { args: ['--max-turns', '2'] },
  ),
  'flag/max-budget-early': session(
    [init(), assistant(), result({ subtype: 'error_max_budget_usd', is_error: true, errors: [] })],
    { args: ['--max-budget-usd', '1'] },
  ),
};

/** A question of a server, and what the host and the agent send after it. */
function question(said: object, ...then: readonly object[]): SessionLog {
  const message = { jsonrpc: '2.0', id: 1, method: 'elicitation/create', params: { message: 'Name?' } };
  const forwarded = { subtype: 'elicitation', mcp_server_name: 'lab', message: 'Name?' };
  return session([
    request('h1', 'mcp_message', { server_name: 'lab', message }),
    { type: 'control_request', request_id: 'q1', request: forwarded },
    says(said),
    ...then,
  ]);
}

function answers(result: object): object {
  const message = { jsonrpc: '2.0', id: 1, result };
  return {
    type: 'control_request',
    request_id: 'a1',
    request: { subtype: 'mcp_message', server_name: 'lab', message },
  };
}

function early(): SessionLog {
  const { events, ...rest } = session([init(), result()], { exit: null });
  return { ...rest, events: [...events, { kind: 'exited', t: 1, code: 0, signal: null }] };
}

/** A request that is answered a second later, after the turn. */
function late(): SessionLog {
  const parts = [init(), request('r1', 'mcp_status'), assistant(), result(), success('r1', { mcpServers: [] }), own()];
  const { events, ...rest } = session(parts);
  return { ...rest, events: events.map((event, at) => ({ ...event, t: at < 2 ? 0 : 2000 })) };
}
