/** Reads the few members of a message that an event stream needs. */
import { parseJson } from '@proto/core/framing';

/** Reads the type of a message. Returns `undefined` if the text is not a message. */
export function typeOf(text: string): string | undefined {
  const { type } = membersOf(text);
  return typeof type === 'string' ? type : undefined;
}

/** Whether messages of this type are control traffic, which concerns only its sender and its recipient. */
export function isControlType(type: string | undefined): boolean {
  return type?.startsWith('control_') === true;
}

/** Reads the id of the request that a message answers. Returns `undefined` for a message that is not an answer. */
export function answeredRequest(type: string | undefined, text: string): { readonly request_id: unknown } | undefined {
  if (type !== 'control_response') return undefined;
  const { request_id } = Object(membersOf(text)['response']) as Members;
  return { request_id };
}

type Members = Readonly<Record<string, unknown>>;

function membersOf(json: string): Members {
  try {
    return Object(parseJson(json)) as Members;
  } catch {
    return {};
  }
}
