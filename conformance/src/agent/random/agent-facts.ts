import { countsOf, type Facts, nameAt } from '../../random/facts.ts';
import { answeredId, isPrompt, subtypeOf } from '../rules/timeline.ts';
import { listOf, member, type Message, readSession, type Session, type SessionLog } from '../session-log.ts';

/**
 * What an agent did in the processes of a session: how it answered each request, how each prompt ended, how often it asked and called hooks, and how
 * it exited. `toolName` is the tool that prompts use, which has a different name in each agent.
 */
export function factsOfAgent(processes: readonly SessionLog[], toolName: unknown): Facts {
  const sessions = processes.map(readSession);
  return new Map([
    ...sessions.flatMap((session, at) => [
      ...answers(session, at + 1),
      ...prompts(session, at + 1),
      ...exit(session, at + 1),
    ]),
    ...countsOf(sessions.flatMap((session) => requestsTo(session, toolName))),
  ]);
}

type NamedFact = readonly [string, string];

/** An id that is the same in all runs comes from the session. A request with any other id is in no other run, so it is not compared. */
function answers({ sent, received }: Session, process: number): NamedFact[] {
  const responses = new Map<unknown, unknown>();
  for (const { message } of received)
    if (message['type'] === 'control_response' && !responses.has(answeredId(message)))
      responses.set(answeredId(message), message['response']);
  return sent.flatMap(({ message }) => {
    const subtype = subtypeOf(message);
    if (subtype === undefined) return [];
    const id = message['request_id'];
    return [[nameAt(`answer to ${String(subtype)}`, `${process}/${String(id)}`), outcomeOf(responses.get(id))]];
  });
}

function outcomeOf(response: unknown): string {
  if (response === undefined) return 'none';
  if (member(response, 'subtype') !== 'error') return 'success';
  const code = member(response, 'error_code');
  return code === undefined ? 'error' : `error ${String(code)}`;
}

function prompts({ sent, received }: Session, process: number): NamedFact[] {
  const uuids = new Set(sent.flatMap(({ message }) => (isPrompt(message) ? [message['uuid']] : [])));
  const states = new Map<unknown, string>();
  const results = new Map<unknown, string>();
  for (const { message } of received) {
    if (message['type'] === 'command_lifecycle') states.set(message['command_uuid'], String(message['state']));
    if (message['type'] === 'result')
      for (const uuid of listOf(message['user_message_uuids'])) results.set(uuid, String(message['subtype']));
  }
  return [...uuids].flatMap((uuid): NamedFact[] => {
    const place = `${process}/${String(uuid)}`;
    return [
      [nameAt('last state of a prompt', place), states.get(uuid) ?? 'none'],
      [nameAt('result of a prompt', place), results.get(uuid) ?? 'none'],
    ];
  });
}

/** A process that the suite has killed has no exit of its own. */
function exit({ exit: end, signalled, signalledByStep = false }: Session, process: number): NamedFact[] {
  if (end === undefined || end.signal === 'SIGKILL' || (signalled && !signalledByStep)) return [];
  return [[nameAt('exit', process), end.signal ?? `code ${end.code}`]];
}

/** The names of the facts that count requests of the agent. A request that is repeated with the same id counts once. */
function requestsTo({ received }: Session, toolName: unknown): string[] {
  const requests = new Map(
    received.flatMap(({ message }): [unknown, Message][] =>
      subtypeOf(message) === undefined ? [] : [[message['request_id'], message]],
    ),
  );
  return [...requests.values()].flatMap((message) => {
    const tool = member(message, 'request', 'tool_name');
    if (subtypeOf(message) === 'can_use_tool')
      return [`permission requests for ${tool === toolName ? 'the tool of the prompts' : String(tool)}`];
    if (subtypeOf(message) !== 'hook_callback') return [];
    return [`calls of the hook "${String(member(message, 'request', 'callback_id'))}"`];
  });
}
