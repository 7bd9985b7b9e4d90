import type { Check, Kind } from './check-parts.ts';
import type { Direction } from './direction.ts';
import { kindFromAgent, kindFromHost } from './generated/message-checks.ts';
import { controlRequest } from './generated/acted-on-checks.ts';
import { memberOf } from './member-of.ts';

/** What a message is called, and its check if it is known. */
export type Found =
  | (Kind & { readonly isEnvelope?: undefined })
  /** No more than the envelope is known: what passes is of an unknown kind. */
  | { readonly name: string; readonly passes: Check; readonly isEnvelope: true };

/** Finds the check of a message by its discriminators, and nothing else; null where its type wants a subtype that is missing. */
export function findKind(
  message: Readonly<Record<string, unknown>> & { readonly type: string },
  direction: Direction,
): Found | null | undefined {
  const { type } = message;
  if (type === 'control_request') return findRequest(message, direction);
  const subtype = type === 'user' ? echoOf(message) : message['subtype'];
  return direction === 'from-agent' ? kindFromAgent(type, subtype) : kindFromHost(type, subtype);
}

/** The name of a message that is not known. */
export function nameOf({ type, subtype }: Readonly<Record<string, unknown>>): string {
  return typeof subtype === 'string' ? `${String(type)}/${subtype}` : String(type);
}

// An echo has no subtype of its own.
function echoOf({ isReplay }: Readonly<Record<string, unknown>>): string | undefined {
  return isReplay === undefined || isReplay === false ? undefined : 'replay';
}

function findRequest(message: Readonly<Record<string, unknown>>, direction: Direction): Found {
  const subtype = memberOf(message['request'], 'subtype');
  const known =
    direction === 'from-agent' ? kindFromAgent('control_request', subtype) : kindFromHost('control_request', subtype);
  if (known) return known;
  const name = typeof subtype === 'string' && subtype !== '' ? `control_request/${subtype}` : 'control_request';
  return { name, passes: controlRequest, isEnvelope: true };
}
