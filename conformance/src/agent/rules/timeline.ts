import { onceFor } from '../../once-for.ts';
import { listOf, member, type Message, type Placed, type Session } from '../session-log.ts';

export interface Timed extends Placed {
  readonly isOurs: boolean;
}

/** In the order in which the suite saw the messages. */
export const timelineOf: (session: Session) => readonly Timed[] = onceFor(({ sent, received }) =>
  [
    ...sent.map((placed) => ({ ...placed, isOurs: true })),
    ...received.map((placed) => ({ ...placed, isOurs: false })),
  ].toSorted((a, b) => a.at - b.at),
);

/** Returns `undefined` for every other message. */
export function payloadOf(message: Message): unknown {
  const isSuccess = message['type'] === 'control_response' && member(message, 'response', 'subtype') === 'success';
  return isSuccess ? (member(message, 'response', 'response') ?? {}) : undefined;
}

/** An agent may also accept `requestId`. */
export function answeredId(message: Message): unknown {
  return member(message, 'response', 'request_id') ?? member(message, 'response', 'requestId');
}

/** Returns `undefined` for every other message. */
export function subtypeOf(message: Message): unknown {
  return message['type'] === 'control_request' ? member(message, 'request', 'subtype') : undefined;
}

export function isInit({ type, subtype }: Message): boolean {
  return type === 'system' && subtype === 'init';
}

/** Whether a message is a prompt that the agent has to run, and whose end the agent has to report. */
export function isPrompt({ type, uuid, shouldQuery, message }: Message): boolean {
  return type === 'user' && typeof uuid === 'string' && shouldQuery !== false && member(message, 'role') === 'user';
}

const FINAL_STATES = ['completed', 'cancelled', 'discarded', 'refused'];

export function endedPrompts(message: Message): readonly unknown[] {
  const { type, state, command_uuid: uuid } = message;
  if (type === 'result') return listOf(message['user_message_uuids']);
  if (type === 'control_response') return listOf(member(message, 'response', 'response', 'cancelled'));
  return type === 'command_lifecycle' && FINAL_STATES.includes(String(state)) ? [uuid] : [];
}
