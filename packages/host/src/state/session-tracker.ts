import type { WireMessage } from '@proto/core/framing';
import { isRecord } from '@proto/core/internal';
import type { AgentMessage } from '@proto/core/messages';

/** What the agent is doing, according to its messages. */
export interface SessionState {
  /** `requires_action`: the agent is waiting for a person's answer. */
  readonly session: 'idle' | 'running' | 'requires_action';
  /** The `uuid`s of the prompts that have no result yet, oldest first. */
  readonly prompts: readonly string[];
  /** The `task_id`s of the background tasks that are still running. If a task ends while no turn is running, a new turn begins. */
  readonly tasks: readonly string[];
  /** Whether the main thread is in a turn. */
  readonly isInTurn: boolean;
  /** Whether a task has ended, but the turn that notifies the model of its end has not begun yet. */
  readonly expectsTurn: boolean;
  /** How many turns are over. */
  readonly results: number;
  /** How the last turn ended, and its prompts. The outcome of an interrupted turn is `interrupted`, even though its result is an error. */
  readonly last?: {
    readonly outcome: 'success' | 'error' | 'interrupted';
    readonly prompts: readonly string[];
    readonly result: Extract<AgentMessage, { readonly type: 'result' }>;
  };
  /** The state that the agent itself reported last. Absent if the agent has not reported its state. */
  readonly reportedState?: string;
  /** How many questions to a person are still open. */
  readonly questions: number;
}

/** An event of a session: a prompt is sent, or cannot be sent, a message arrives, or the number of open questions changes. */
export type SessionEvent =
  | { readonly prompt: string }
  | { readonly unsent: string }
  | { readonly message: WireMessage }
  | { readonly questions: number };

// Further tasks are not followed, so that an agent cannot slow down its host by starting a huge number of tasks.
const MAX_TASKS = 1000;
/**
 * The maximum number of prompts without a result that a follower keeps in its state: 10 000. Further prompts are not added to the state until another
 * prompt is over.
 */
export const DEFAULT_MAX_FOLLOWED_PROMPTS = 10_000;

export const INITIAL_SESSION_STATE: SessionState = {
  session: 'idle',
  prompts: [],
  tasks: [],
  isInTurn: false,
  expectsTurn: false,
  results: 0,
  questions: 0,
};

/** Returns the same object if nothing changed. Has no side effects. */
export function trackSession(state: SessionState, event: SessionEvent): SessionState {
  const changes = changesBy(state, event);
  if (changes === undefined) return state;
  const next = { ...state, ...changes };
  return { ...next, session: sessionOf(next) };
}

/** True if every prompt has its result and neither a turn nor a task is running, whatever state the agent last reported. */
export function isSettled({ prompts, tasks, isInTurn, questions }: SessionState): boolean {
  return prompts.length + tasks.length + questions === 0 && !isInTurn;
}

function sessionOf({
  questions,
  reportedState,
  prompts,
  isInTurn,
  expectsTurn,
}: SessionState): SessionState['session'] {
  if (questions > 0) return 'requires_action';
  if (reportedState === 'requires_action' || reportedState === 'running') return reportedState;
  return prompts.length > 0 || isInTurn || expectsTurn ? 'running' : 'idle';
}

function changesBy(state: SessionState, event: SessionEvent): Partial<SessionState> | undefined {
  if ('prompt' in event) {
    if (state.prompts.length >= DEFAULT_MAX_FOLLOWED_PROMPTS) return undefined;
    return { prompts: [...without(state.prompts, [event.prompt]), event.prompt] };
  }
  if ('unsent' in event) return { prompts: without(state.prompts, [event.unsent]) };
  if ('questions' in event) return event;
  const { message } = event;
  switch (message.type) {
    case 'result':
      return finished(state, message);
    case 'command_lifecycle':
      return OVER.includes(String(message['state']))
        ? { prompts: without(state.prompts, [message['command_uuid']]) }
        : undefined;
    case 'assistant':
    case 'user':
    case 'stream_event':
      // A subagent that runs in the background sends messages outside of turns.
      return state.isInTurn || message['isReplay'] === true || typeof message['parent_tool_use_id'] === 'string'
        ? undefined
        : IN_TURN;
    case 'conversation_reset':
      return { tasks: [] };
    case 'system':
      return bySystem(state, message);
    default:
      return undefined;
  }
}

const IN_TURN = { isInTurn: true, expectsTurn: false };
const OVER = ['cancelled', 'discarded', 'refused', 'completed'];
const TASK_OVER = ['completed', 'failed', 'killed', 'stopped'];

function finished(state: SessionState, result: WireMessage): Partial<SessionState> {
  // If an agent's results do not name prompts, the prompts are answered one after the other.
  const settled = promptsNamedBy(result) ?? state.prompts.slice(0, 1);
  return {
    prompts: without(state.prompts, settled),
    isInTurn: isFollowedByTurn(result),
    expectsTurn: false,
    results: state.results + 1,
    last: {
      outcome: outcomeOf(result),
      prompts: settled.map(String),
      result: result as NonNullable<SessionState['last']>['result'],
    },
  };
}

/** The prompts that a reply or a result names; undefined if it names none. */
export function promptsNamedBy({
  user_message_uuids: all,
  user_message_uuid: one,
}: WireMessage): readonly unknown[] | undefined {
  return Array.isArray(all) ? all : one === undefined ? undefined : [one];
}

/** How a turn with this result ended. The result of an interrupted turn is an error, but the turn did not fail. */
export function outcomeOf({
  terminal_reason: reason,
  is_error: isError,
}: WireMessage): 'success' | 'error' | 'interrupted' {
  if (typeof reason === 'string' && reason.startsWith('aborted_')) return 'interrupted';
  return isError === true ? 'error' : 'success';
}

/** Whether the agent starts another turn without further input. */
export function isFollowedByTurn({ queued_turn_count: queued }: WireMessage): boolean {
  return typeof queued === 'number' && queued > 0;
}

function bySystem(state: SessionState, message: WireMessage): Partial<SessionState> | undefined {
  const { task_id: id, patch } = message;
  switch (message['subtype']) {
    case 'init':
      return state.isInTurn ? undefined : IN_TURN;
    case 'session_state_changed': {
      const reportedState = String(message['state']);
      if (reportedState !== 'idle') return { reportedState };
      // If an agent's results do not name prompts, one result may answer several prompts.
      const isAnonymous = state.last !== undefined && state.last.result['user_message_uuid'] === undefined;
      return { reportedState, isInTurn: false, expectsTurn: false, ...(isAnonymous && { prompts: [] }) };
    }
    case 'background_tasks_changed': {
      const { tasks } = message;
      if (!Array.isArray(tasks)) return undefined;
      return {
        tasks: tasks
          .slice(0, MAX_TASKS)
          .filter(isActivity)
          .map((task) => String(task.task_id)),
      };
    }
    case 'task_started':
      if (!isActivity(message) || state.tasks.length >= MAX_TASKS) return undefined;
      return { tasks: [...without(state.tasks, [id]), String(id)] };
    case 'task_updated':
      return isRecord(patch) && TASK_OVER.includes(String(patch['status']))
        ? taskOver(state, id, patch['status'])
        : undefined;
    case 'task_notification':
      return taskOver(state, id, message['status']);
    default:
      return undefined;
  }
}

/** The agent reports a completed or failed task to the model, in a new turn if no turn is running. A stopped task is not reported. */
function taskOver(state: SessionState, id: unknown, status: unknown): Partial<SessionState> {
  const isReported = status === 'completed' || status === 'failed';
  return { tasks: without(state.tasks, [id]), expectsTurn: state.expectsTurn || (isReported && !state.isInTurn) };
}

function isActivity(task: unknown): task is { readonly task_id: unknown } {
  return isRecord(task) && task['ambient'] !== true;
}

function without(ids: readonly string[], gone: readonly unknown[]): readonly string[] {
  if (gone.length === 1) return ids.filter((id) => id !== gone[0]);
  // A set, because a result may name as many prompts as fit on a line.
  const names = new Set(gone);
  return ids.filter((id) => !names.has(id));
}
