import { countsOf, type Facts, nameAt } from '../../random/facts.ts';
import { answeredId, endedPrompts, isPrompt, subtypeOf } from '../rules/timeline.ts';
import { disturbancesIn } from './disturbances.ts';
import { member, type Message, readSession, type Session, type SessionLog } from '../session-log.ts';

/**
 * What an agent did in the processes of a session: how it answered each request, how each prompt ended, how often it asked and called hooks, and how
 * it exited. What depends on the moment at which the host interrupted or ended something is left out. With `isByTool`, permission requests are counted
 * for each tool, and otherwise the tools of the agent are counted together.
 */
export function factsOfAgent(processes: readonly SessionLog[], isByTool: boolean): Facts {
  const sessions = processes.map(readSession);
  const isUndisturbed = sessions.every(
    (session) => session.signalledByStep !== true && disturbancesIn(session).length === 0,
  );
  return new Map([
    ...sessions.flatMap((session, at) => [
      ...answers(session, at + 1),
      ...prompts(session, at + 1),
      ...exit(session, at + 1),
    ]),
    ...(isUndisturbed ? countsOf(sessions.flatMap((session) => requestsTo(session, isByTool))) : []),
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
    if (typeof subtype !== 'string') return [];
    const id = message['request_id'];
    const response = responses.get(id);
    if (response === undefined) return [];
    return [[nameAt(`answer to ${subtype}`, `${process}/${String(id)}`), outcomeOf(response)]];
  });
}

function outcomeOf(response: unknown): string {
  if (member(response, 'subtype') !== 'error') return 'success';
  const code = member(response, 'error_code');
  return typeof code === 'string' ? `error ${code}` : 'error';
}

/** A prompt that was open at an interrupt is left out, because another agent may have ended it before the interrupt. */
function prompts(session: Session, process: number): NamedFact[] {
  const disturbed = new Set(disturbancesIn(session).flatMap(({ uuids }) => uuids));
  const sent = new Set(session.sent.flatMap(({ message }) => (isPrompt(message) ? [message['uuid']] : [])));
  const facts = session.received.flatMap(({ message }): (readonly [string, unknown, unknown])[] => {
    const ended = endedPrompts(message);
    if (message['type'] === 'command_lifecycle') return ended.map((uuid) => ['final state', uuid, message['state']]);
    return message['type'] === 'result' ? ended.map((uuid) => ['result', uuid, message['subtype']]) : [];
  });
  return facts.flatMap(([what, uuid, value]) =>
    sent.has(uuid) && !disturbed.has(uuid)
      ? [[nameAt(`${what} of a prompt`, `${process}/${String(uuid)}`), String(value)]]
      : [],
  );
}

/** The end of a process that the suite has killed is left out. */
function exit({ exit: end, signalled, signalledByStep = false }: Session, process: number): NamedFact[] {
  if (end === undefined || end.signal === 'SIGKILL' || (signalled && !signalledByStep)) return [];
  return [[nameAt('exit', process), end.signal ?? `code ${end.code}`]];
}

/** The names of the facts that count requests of the agent. A request that is repeated with the same id counts once. */
function requestsTo({ received }: Session, isByTool: boolean): string[] {
  const requests = new Map(
    received.flatMap(({ message }): [unknown, Message][] =>
      subtypeOf(message) === undefined ? [] : [[message['request_id'], message]],
    ),
  );
  return [...requests.values()].flatMap((message) => {
    const tool = String(member(message, 'request', 'tool_name'));
    if (subtypeOf(message) === 'can_use_tool')
      return [`permission requests for ${isByTool || tool.startsWith('mcp__') ? tool : 'tools of the agent'}`];
    if (subtypeOf(message) !== 'hook_callback') return [];
    return [`calls of the hook "${String(member(message, 'request', 'callback_id'))}"`];
  });
}
