import { onceFor } from '../../once-for.ts';
import { listOf, member, type Message, type Placed, type Session } from '../session-log.ts';

/** A message from either side, at the position in which the suite saw it. */
export interface Timed extends Placed {
  readonly isOurs: boolean;
}

/** The messages of both sides, in the order in which the suite saw them. */
export const timelineOf: (session: Session) => readonly Timed[] = onceFor(({ sent, received }) =>
  [
    ...sent.map((placed) => ({ ...placed, isOurs: true })),
    ...received.map((placed) => ({ ...placed, isOurs: false })),
  ].toSorted((a, b) => a.at - b.at),
);

/** The payload of a successful control response. `undefined` for every other message. */
export function payloadOf(message: Message): unknown {
  const isSuccess = message['type'] === 'control_response' && member(message, 'response', 'subtype') === 'success';
  return isSuccess ? (member(message, 'response', 'response') ?? {}) : undefined;
}

/** The `request_id` that a control response answers. An agent may also accept `requestId`. */
export function answeredId(message: Message): unknown {
  return member(message, 'response', 'request_id') ?? member(message, 'response', 'requestId');
}

/** The subtype of a control request. `undefined` for every other message. */
export function subtypeOf(message: Message): unknown {
  return message['type'] === 'control_request' ? member(message, 'request', 'subtype') : undefined;
}

/** Whether a message begins a turn. */
export function isInit({ type, subtype }: Message): boolean {
  return type === 'system' && subtype === 'init';
}

/** Whether a message is a prompt that the agent has to run, and whose end the agent has to report. */
export function isPrompt({ type, uuid, shouldQuery, message }: Message): boolean {
  return type === 'user' && typeof uuid === 'string' && shouldQuery !== false && member(message, 'role') === 'user';
}

const FINAL_STATES = ['completed', 'cancelled', 'discarded', 'refused'];

/** The ids of the prompts whose end a message reports. */
export function endedPrompts(message: Message): readonly unknown[] {
  const { type, state, command_uuid: uuid } = message;
  if (type === 'result') return listOf(message['user_message_uuids']);
  if (type === 'control_response') return listOf(member(message, 'response', 'response', 'cancelled'));
  return type === 'command_lifecycle' && FINAL_STATES.includes(String(state)) ? [uuid] : [];
}
