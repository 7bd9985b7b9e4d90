import { shortJson } from '@proto/testkit/steps';

import { isResumed, listOf, member, type Message, type Session } from '../../session-log.ts';
import { exchangesOf } from '../exchanges.ts';
import { blocksOfType, isMain } from '../messages/message-rules.ts';
import { type Broken, firstOf, type Rule } from '../rule.ts';
import { isInit, subtypeOf, timelineOf } from '../timeline.ts';
import { ValuedMap } from '../valued-map.ts';

export const taskRules: readonly Rule[] = [
  { name: 'task/end-reported', spec: 'INT-23', check: unreportedEnds },
  { name: 'task/all-listed', spec: 'INT-24', check: missingInLists },
  { name: 'task/begin-listed', spec: 'INT-24', check: unlistedTasks },
  { name: 'task/origin', spec: 'INT-26', check: turnsWithoutOrigin },
  { name: 'task/stopped', spec: 'INT-30', check: stoppedAsCompleted },
  { name: 'task/only-the-named', spec: 'INT-31', check: (session) => stoppedWithoutCause(session, false) },
  { name: 'task/own-messages', spec: 'INT-21', check: silentSubagents },
  { name: 'task/not-by-an-interrupt', spec: 'INT-32', check: (session) => stoppedWithoutCause(session, true) },
];

const FINAL = new Set(['completed', 'failed', 'killed', 'stopped']);

function taskEndedBy(message: Message): unknown {
  const { type, subtype, task_id: id } = message;
  if (type !== 'system') return undefined;
  const status = subtype === 'task_updated' ? member(message, 'patch', 'status') : undefined;
  return subtype === 'task_notification' || FINAL.has(String(status)) ? id : undefined;
}

function unreportedEnds({ received, isComplete }: Session): Broken | undefined {
  if (!isComplete) return undefined;
  const ended = new Set(received.map(({ message }) => taskEndedBy(message)));
  return firstOf(received, ({ message }) =>
    message['subtype'] === 'task_started' && !ended.has(message['task_id'])
      ? { message: `No message reports the end of the task ${shortJson(message['task_id'])}.`, got: message }
      : undefined,
  );
}

const listedIn = (message: Message): readonly unknown[] => {
  const tasks = message['subtype'] === 'background_tasks_changed' ? message['tasks'] : undefined;
  return Array.isArray(tasks) ? tasks.map((task) => member(task, 'task_id')) : [];
};

/** Finds tasks that are in one list but not in the next, and whose end is not reported before the list after that. */
function missingInLists({ received }: Session): Broken | undefined {
  const endOf = new Map<unknown, number>();
  for (const { message, at } of received) {
    const id = taskEndedBy(message);
    if (id !== undefined && !endOf.has(id)) endOf.set(id, at);
  }
  const lists = received.filter(({ message }) => message['subtype'] === 'background_tasks_changed');
  let before: ReadonlySet<unknown> = new Set();
  return firstOf(lists.entries(), ([place, { message }]) => {
    const listed = new Set(listedIn(message));
    const until = lists[place + 1]?.at ?? Infinity;
    const missing = [...before].find((id) => !listed.has(id) && (endOf.get(id) ?? Infinity) > until);
    before = listed;
    const isOver = until !== Infinity;
    return missing === undefined || !isOver
      ? undefined
      : {
          message: `The list of background tasks does not contain ${shortJson(missing)}, which is running.`,
          got: message,
        };
  });
}

function unlistedTasks({ received }: Session): Broken | undefined {
  const listed = new Set<unknown>();
  const background = new Set<unknown>();
  return firstOf(received, ({ message }) => {
    for (const id of listedIn(message)) listed.add(id);
    const { subtype, task_id: id } = message;
    if (subtype === 'task_started' && message['is_backgrounded'] === true) background.add(id);
    return subtype === 'task_notification' && background.has(id) && !listed.has(id)
      ? {
          message: `No list of background tasks contained the task ${shortJson(id)} before the task ended.`,
          got: message,
        }
      : undefined;
  });
}

/**
 * Finds model turns that began after a task ended, at a time when every prompt already had its result, but that do not report the task as their
 * origin.
 */
function turnsWithoutOrigin(session: Session): Broken | undefined {
  const waiting = new Set<unknown>();
  let hasEnded = false;
  let isOwn = false;
  return firstOf(timelineOf(session), ({ message, isOurs }) => {
    if (isOurs && message['type'] === 'user') waiting.add(message['uuid'] ?? message);
    if (isOurs) return undefined;
    if (message['subtype'] === 'task_notification') hasEnded = true;
    if (isInit(message)) isOwn = hasEnded && waiting.size === 0;
    if (message['type'] !== 'result') return undefined;
    for (const uuid of listOf(message['user_message_uuids'])) waiting.delete(uuid);
    const isSilent = isOwn && message['origin'] === undefined && Number(message['num_turns']) > 0;
    hasEnded = isOwn = false;
    return isSilent
      ? { message: 'The end of a task began a turn, but the result of this turn has no origin.', got: message }
      : undefined;
  });
}

/** The first request that stopped each task: the positions of the request and of its answer. */
function stopsOf(session: Session): Map<unknown, { readonly asked: number; readonly answered: number }> {
  const stops = exchangesOf(session).flatMap(({ subtype, request, payload, asked, at }) =>
    subtype === 'stop_task' && payload !== undefined ? [[request['task_id'], { asked, answered: at }] as const] : [],
  );
  return new Map(stops.toReversed());
}

function stoppedAsCompleted(session: Session): Broken | undefined {
  const stops = stopsOf(session);
  return firstOf(session.received, ({ message, at }) => {
    const isEnd = message['subtype'] === 'task_notification' && message['status'] !== 'stopped';
    return isEnd && (stops.get(message['task_id'])?.answered ?? Infinity) < at
      ? { message: `A task that was stopped is reported as ${shortJson(message['status'])}.`, got: message }
      : undefined;
  });
}

function stoppedWithoutCause(session: Session, byInterrupt: boolean): Broken | undefined {
  const mayEnd = session.sent.some(({ message }) => subtypeOf(message) === 'end_session');
  if (session.signalledByStep === true || mayEnd) return undefined;
  const stops = stopsOf(session);
  const started = new Set(
    session.received.flatMap(({ message }) => (message['subtype'] === 'task_started' ? [message['task_id']] : [])),
  );
  // The end of the earlier process may have stopped a task of a resumed session.
  const mayBeEarlier = (id: unknown) => isResumed(session) && !started.has(id);
  const interrupt = session.sent.find(({ message }) => subtypeOf(message) === 'interrupt')?.at ?? Infinity;
  const end = session.events.findIndex(({ kind }) => kind === 'input-ended');
  return firstOf(session.received, ({ message, at }) => {
    const isStopped = message['subtype'] === 'task_notification' && message['status'] === 'stopped';
    if (!isStopped || (stops.get(message['task_id'])?.asked ?? Infinity) < at || (end !== -1 && at > end))
      return undefined;
    if (mayBeEarlier(message['task_id'])) return undefined;
    return interrupt < at === byInterrupt
      ? { message: 'A task was stopped, although the host did not request this.', got: message }
      : undefined;
  });
}

const SUBAGENT_TOOLS = ['Task', 'Agent'];

/** Finds subagents that have ended without a message, although another subagent of the same reply has sent messages. */
function silentSubagents({ received }: Session): Broken | undefined {
  const replyOf = new Map<unknown, unknown>();
  const spoke = new Set(received.map(({ message }) => message['parent_tool_use_id']));
  // The replies with the calls of subagents that have sent messages.
  const spokenOf = new ValuedMap<unknown, unknown>();
  return firstOf(received, ({ message }) => {
    if (message['type'] === 'assistant' && isMain(message))
      for (const { id, name } of blocksOfType(message, 'tool_use'))
        if (SUBAGENT_TOOLS.includes(String(name))) {
          replyOf.set(id, member(message, 'message', 'id'));
          if (spoke.has(id)) spokenOf.set(id, member(message, 'message', 'id'));
        }
    const [silent] = blocksOfType(message, 'tool_result').filter(
      ({ tool_use_id: id, is_error: isError }) => replyOf.has(id) && isError !== true && !spoke.has(id),
    );
    const own = silent?.['tool_use_id'];
    return silent === undefined || !spokenOf.hasValue(replyOf.get(own))
      ? undefined
      : { message: `No message of a subagent has the parent_tool_use_id ${shortJson(own)}.`, got: message };
  });
}
