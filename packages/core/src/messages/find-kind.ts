import type { Check, Kind } from './check-parts.ts';
import { controlRequest } from './generated/minimal-checks.ts';
import { kindFromAgent, kindFromHost } from './generated/message-checks.ts';

/** The side that wrote a message. Some types exist in both directions, with different members. */
export type Direction = 'from-agent' | 'from-host';

type Message = Readonly<Record<string, unknown>>;

/** The name of a message, and its check. */
export type Found =
  | (Kind & { readonly isEnvelope?: undefined })
  /** A message of which only the envelope is known. A message that passes the check is of an unknown kind. */
  | { readonly name: string; readonly passes: Check; readonly isEnvelope: true };

/**
 * Finds the check for a message by its discriminators, and reads nothing else. Returns `null` if the type requires a subtype but the message has
 * none, and `undefined` for an unknown type. The type is a separate parameter, because reading a member again takes as long as checking the member.
 */
export function findKind(type: string, message: Message, direction: Direction): Found | null | undefined {
  const kind = direction === 'from-agent' ? kindFromAgent(type, message) : kindFromHost(type, message);
  return kind === undefined && type === 'control_request' ? unknownRequest(message) : kind;
}

export function nameOf(type: string, { subtype }: Message): string {
  return typeof subtype === 'string' ? `${type}/${subtype}` : type;
}

function unknownRequest(message: Message): Found {
  const subtype = memberOf(message['request'], 'subtype');
  const name = typeof subtype === 'string' && subtype !== '' ? `control_request/${subtype}` : 'control_request';
  return { name, passes: controlRequest, isEnvelope: true };
}

/** Returns `undefined` if the value is not an object or lacks the member. */
export function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}
