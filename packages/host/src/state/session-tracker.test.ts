import type { WireMessage } from '@proto/core/framing';
import { verifies } from '@proto/test-support/verifies';
import { describe, expect, test } from 'vitest';
import { recordedLines } from '../recorded.test-support.ts';
import { INITIAL_SESSION_STATE, type SessionEvent, type SessionState, trackSession } from './session-tracker.ts';

const follow = (...events: (SessionEvent | WireMessage)[]): SessionState =>
  events.reduce<SessionState>(
    (state, event) => trackSession(state, 'type' in event ? { message: event } : event),
    INITIAL_SESSION_STATE,
  );

const result = (members: object = {}): WireMessage => ({
  type: 'result',
  subtype: 'success',
  is_error: false,
  ...members,
});
const assistant = { type: 'assistant', message: {}, parent_tool_use_id: null };
const subagent = { ...assistant, parent_tool_use_id: 'T1' };
const init = { type: 'system', subtype: 'init' };
const stateChanged = (state: string) => ({ type: 'system', subtype: 'session_state_changed', state });
const lifecycle = (state: string) => ({ type: 'command_lifecycle', command_uuid: 'p1', state });
const task = (subtype: string, members: object = {}) => ({ type: 'system', subtype, task_id: 't1', ...members });
const prompt = (uuid: string) => ({ prompt: uuid });

const CASES: readonly [string, (SessionEvent | WireMessage)[], object][] = [
  ['no event', [], { session: 'idle', prompts: [], results: 0 }],
  ['a prompt on its way', [prompt('p1')], { session: 'running', prompts: ['p1'], isInTurn: false }],
  ['a turn', [prompt('p1'), init, assistant], { session: 'running', isInTurn: true }],
  ['a turn that has ended', [prompt('p1'), assistant, result()], { session: 'idle', prompts: [], results: 1 }],
  [
    'a turn of two prompts',
    [prompt('p1'), prompt('p2'), assistant, result({ user_message_uuid: 'p2', user_message_uuids: ['p1', 'p2'] })],
    { session: 'idle', prompts: [], last: { prompts: ['p1', 'p2'] } },
  ],
  [
    'two prompts of which one is answered',
    [prompt('p1'), prompt('p2'), assistant, result({ user_message_uuid: 'p1' })],
    { session: 'running', prompts: ['p2'], isInTurn: false },
  ],
  [
    'two prompts and one result that names no prompts',
    [prompt('p1'), prompt('p2'), result()],
    { session: 'running', prompts: ['p2'] },
  ],
  [
    'two prompts, one result that names no prompts, and the idle state of the agent',
    [prompt('p1'), prompt('p2'), result(), stateChanged('idle')],
    { session: 'idle', prompts: [] },
  ],
  [
    'the idle state of the agent while another prompt is on its way',
    [prompt('p1'), result({ user_message_uuid: 'p1' }), prompt('p2'), stateChanged('idle')],
    { session: 'running', prompts: ['p2'] },
  ],
  ['a result before the agent reports idle', [stateChanged('running'), assistant, result()], { session: 'running' }],
  [
    'a result and then the idle state',
    [stateChanged('running'), assistant, result(), stateChanged('idle')],
    { session: 'idle' },
  ],
  ['a result with another queued turn', [assistant, result({ queued_turn_count: 1 })], { session: 'running' }],
  ['an open question to the user', [assistant, { questions: 1 }], { session: 'requires_action' }],
  ['an answered question to the user', [assistant, { questions: 1 }, { questions: 0 }], { session: 'running' }],
  ['a cancelled prompt', [prompt('p1'), lifecycle('queued'), lifecycle('cancelled')], { session: 'idle', prompts: [] }],
  ['a prompt that could not be sent', [prompt('p1'), { unsent: 'p1' }], { session: 'idle', prompts: [] }],
  ['a queued prompt', [prompt('p1'), lifecycle('queued')], { session: 'running', prompts: ['p1'] }],
  ['a result before any message', [prompt('p1'), result(), assistant, result()], { session: 'idle', results: 2 }],
  ['a subagent after the result', [assistant, result(), subagent], { session: 'idle' }],
  ['a replayed user message', [{ type: 'user', isReplay: true }], { session: 'idle' }],
  [
    'a turn that was interrupted',
    [prompt('p1'), assistant, result({ is_error: true, terminal_reason: 'aborted_tools' })],
    { session: 'idle', last: { outcome: 'interrupted' } },
  ],
  [
    'a turn that failed',
    [assistant, result({ subtype: 'success', is_error: true, terminal_reason: 'api_error' })],
    { last: { outcome: 'error' } },
  ],
  ['a task', [task('task_started')], { tasks: ['t1'] }],
  ['a task that is reported twice', [task('task_started'), task('task_started')], { tasks: ['t1'] }],
  ['an ambient task', [task('task_started', { ambient: true })], { tasks: [] }],
  ['a killed task', [task('task_started'), task('task_updated', { patch: { status: 'killed' } })], { tasks: [] }],
  ['a paused task', [task('task_started'), task('task_updated', { patch: { status: 'paused' } })], { tasks: ['t1'] }],
  [
    'a task whose end starts a turn',
    [assistant, task('task_started'), result(), task('task_notification', { status: 'completed' })],
    { tasks: [], session: 'running' },
  ],
  [
    'a task that was stopped',
    [assistant, task('task_started'), result(), task('task_notification', { status: 'stopped' })],
    { tasks: [], session: 'idle' },
  ],
  [
    'a report of all tasks',
    [
      task('task_started'),
      task('background_tasks_changed', { tasks: [{ task_id: 't2' }, { task_id: 't3', ambient: true }] }),
    ],
    { tasks: ['t2'] },
  ],
  ['a new conversation', [task('task_started'), { type: 'conversation_reset' }], { tasks: [] }],
];

describe('the state of a session', () => {
  test('has a bounded size, whatever an agent sends', () => {
    const many = Array.from({ length: 1500 }, (_, index) => task('task_started', { task_id: `t${index}` }));
    expect(follow(...many).tasks).toHaveLength(1000);
    expect(follow(task('background_tasks_changed', { tasks: many })).tasks).toHaveLength(1000);
  });

  verifies('STATE-1', 'follows from its messages', () => {
    for (const [name, events, expected] of CASES) expect(follow(...events), name).toMatchObject(expected);
  });

  test('stays the same object if a message changes nothing', () => {
    const state = follow(prompt('p1'), assistant);
    for (const message of [
      assistant,
      { type: 'stream_event' },
      { type: 'not_known_yet' },
      { type: 'system', subtype: 'status' },
    ]) {
      expect(trackSession(state, { message })).toBe(state);
    }
  });

  verifies(['STATE-2', 'AGENT-8'], 'has the outcome of an interrupted turn, and then that of the next turn', () => {
    const interrupted = follow(
      prompt('p1'),
      assistant,
      result({ is_error: true, terminal_reason: 'aborted_streaming' }),
    );
    expect(interrupted).toMatchObject({ last: { outcome: 'interrupted' }, isInTurn: false, prompts: [] });
    const next = [prompt('p2'), { message: assistant }, { message: result() }].reduce<SessionState>(
      trackSession,
      interrupted,
    );
    expect(next).toMatchObject({ last: { outcome: 'success', prompts: ['p2'] }, session: 'idle', results: 2 });
  });
});

/** The states of a recorded session; prompts without an id get one. */
function statesOf(name: string, { silent = false } = {}): SessionState[] {
  let state = INITIAL_SESSION_STATE;
  return recordedLines(name).flatMap(({ dir, line }, index) => {
    const message = JSON.parse(line) as WireMessage;
    if (message.type.startsWith('control_')) return [];
    if (dir === 'from-host')
      state = trackSession(state, prompt(typeof message['uuid'] === 'string' ? message['uuid'] : `prompt-${index}`));
    else if (!silent || message['subtype'] !== 'session_state_changed') state = trackSession(state, { message });
    return state;
  });
}

const RECORDINGS: readonly [name: string, results: number][] = [
  ['background-bash', 2],
  ['subagent', 2],
  ['interrupt-mid-text', 2],
  ['interrupt-with-queue', 2],
  ['queued-fold-mid-turn', 1],
  ['streaming-multi-turn', 2],
  ['slash-commands', 6],
  ['hooks-stop-block', 1],
  ['session-resume', 2],
];

verifies('STATE-1', 'recorded sessions end idle with all prompts settled, also without state messages', () => {
  for (const [name, results] of RECORDINGS) {
    for (const silent of [false, true]) {
      const states = statesOf(name, { silent });
      expect(states.at(-1), `${name}, silent: ${silent}`).toMatchObject({
        session: 'idle',
        prompts: [],
        tasks: [],
        results,
      });
    }
  }
});

test('a session with a background task is never done between its two results', () => {
  const states = statesOf('background-bash');
  const first = states.findIndex(({ results }) => results === 1);
  const second = states.findIndex(({ results }) => results === 2);
  for (const { session, tasks } of states.slice(first, second)) {
    expect(session === 'idle' && tasks.length === 0).toBe(false);
  }
});
