/** Reads the few members of a message that an event stream needs. */
import { jsonOf, membersOf } from './session-frames.ts';

/** Returns `undefined` if the text is not a message. */
export function typeOf(text: string): string | undefined {
  const { type } = membersOf(jsonOf(text));
  return typeof type === 'string' ? type : undefined;
}

/** Control traffic concerns only its sender and its recipient. */
export function isControlType(type: string | undefined): boolean {
  return type?.startsWith('control_') === true;
}

/** Returns `undefined` for a message that is not an answer. */
export function answeredRequest(type: string | undefined, text: string): { readonly request_id: unknown } | undefined {
  if (type !== 'control_response') return undefined;
  const { request_id } = membersOf(membersOf(jsonOf(text))['response']);
  return { request_id };
}
