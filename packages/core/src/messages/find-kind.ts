import type { Check, Kind } from './check-parts.ts';
import { controlRequest } from './generated/acted-on-checks.ts';
import { kindFromAgent, kindFromHost } from './generated/message-checks.ts';

/** Who wrote a message: some types exist both ways, with different members. */
export type Direction = 'from-agent' | 'from-host';

type Message = Readonly<Record<string, unknown>>;

/** What a message is called, and its check if it is known. */
export type Found =
  | (Kind & { readonly isEnvelope?: undefined })
  /** No more than the envelope is known: what passes is of an unknown kind. */
  | { readonly name: string; readonly passes: Check; readonly isEnvelope: true };

/**
 * Finds the check of a message by its discriminators, and nothing else; null where its type wants a subtype that is missing. The type
 * comes apart: to look at a member again takes as long as to check it.
 */
export function findKind(type: string, message: Message, direction: Direction): Found | null | undefined {
  const kind = direction === 'from-agent' ? kindFromAgent(type, message) : kindFromHost(type, message);
  return kind === undefined && type === 'control_request' ? unknownRequest(message) : kind;
}

/** The name of a message that is not known. */
export function nameOf(type: string, { subtype }: Message): string {
  return typeof subtype === 'string' ? `${type}/${subtype}` : type;
}

function unknownRequest(message: Message): Found {
  const subtype = memberOf(message['request'], 'subtype');
  const name = typeof subtype === 'string' && subtype !== '' ? `control_request/${subtype}` : 'control_request';
  return { name, passes: controlRequest, isEnvelope: true };
}

/** A member of a value by its name; `undefined` where the value is no object or has none. */
export function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}
