import { shortJson } from '@proto/testkit/steps';

import { answeredId, isInit, subtypeOf, timelineOf } from '../rules/timeline.ts';
import { listOf, member, type Message, readSession, type SessionLog } from '../session-log.ts';

const FINAL_STATES = ['completed', 'cancelled', 'discarded', 'refused'];

/** What an agent still owes its host, each part as the beginning of a sentence. Empty if the agent has nothing left to do. */
export function outstandingOf(log: SessionLog): readonly string[] {
  const { prompts, requests, runs, state } = readObligations(log);
  return [
    ...[...requests].map((id) => `The request ${shortJson(id)} is not answered`),
    ...[...prompts].map((uuid) => `The prompt ${shortJson(uuid)} is not finished`),
    ...(runs ? ['The running turn has no result'] : []),
    ...(state === undefined || state === 'idle' ? [] : [`The last state that was reported is ${shortJson(state)}`]),
  ];
}

/** The requests of the agent that its host has neither answered nor seen withdrawn, by their ids. */
export function openQuestions(log: SessionLog): readonly Message[] {
  const open = new Map<unknown, Message>();
  for (const { message, isOurs } of timelineOf(readSession(log))) {
    if (isOurs && message['type'] === 'control_response') open.delete(answeredId(message));
    else if (isOurs) continue;
    else if (subtypeOf(message) !== undefined) open.set(message['request_id'], message);
    else if (message['type'] === 'control_cancel_request') open.delete(message['request_id']);
  }
  return [...open.values()];
}

function readObligations(log: SessionLog) {
  const prompts = new Set<unknown>();
  const accepted = new Set<unknown>();
  const requests = new Set<unknown>();
  let runs = false;
  let state: unknown;
  for (const { message, isOurs } of timelineOf(readSession(log))) {
    const { type, uuid } = message;
    if (isOurs) {
      if (subtypeOf(message) !== undefined) requests.add(message['request_id']);
      else if (type === 'control_cancel_request') requests.delete(message['request_id']);
      else if (isPrompt(message) && !accepted.has(uuid)) {
        accepted.add(uuid);
        prompts.add(uuid);
      }
      continue;
    }
    if (type === 'control_response') {
      requests.delete(answeredId(message));
      for (const each of listOf(member(message, 'response', 'response', 'cancelled'))) prompts.delete(each);
    } else if (isInit(message)) runs = true;
    else if (type === 'result') {
      runs = false;
      for (const each of listOf(message['user_message_uuids'])) prompts.delete(each);
    } else if (type === 'command_lifecycle' && FINAL_STATES.includes(String(message['state'])))
      prompts.delete(message['command_uuid']);
    else if (message['subtype'] === 'session_state_changed') state = message['state'];
  }
  return { prompts, requests, runs, state };
}

/** Whether a message is a prompt that the agent has to run, and whose end it has to report. */
function isPrompt({ type, uuid, shouldQuery, message }: Message): boolean {
  return type === 'user' && typeof uuid === 'string' && shouldQuery !== false && member(message, 'role') === 'user';
}
