import { parseJson } from '../../framing/parse-json.ts';
/**
 * The few lines that a medium must write or understand itself. Transports know nothing else about the messages that they carry.
 */
import type { Line } from '../../framing/line-decoder.ts';

/** The type of a line that only keeps a link alive. The peer ignores it. */
export const KEEP_ALIVE = 'keep_alive';

/** A line that only keeps a link alive, with its line end. */
export const KEEP_ALIVE_LINE = `{"type":"${KEEP_ALIVE}"}\n`;

/** The longest line that is parsed for a credential, in UTF-16 units. */
const MAX_AUTH_LENGTH = 64 * 1024;

/** Creates the first line of a client that cannot set a header: its token, as published clients write it, with a line end. */
export function authLine(token: string): string {
  return `${JSON.stringify({ type: 'auth', credential: { type: 'oauth', token } })}\n`;
}

/** Reads the token of an auth line; undefined for any other line. */
export function tokenOfAuthLine(line: Line | undefined): string | undefined {
  if (typeof line !== 'string' || line.length > MAX_AUTH_LENGTH) return undefined;
  const { type, credential } = membersOf(line);
  const { token } = Object(credential) as Members;
  return type === 'auth' && typeof token === 'string' ? token : undefined;
}

/** Reads the `uuid` of a message; undefined without a `uuid`, and for text that is no message. */
export function uuidOf(text: string): string | undefined {
  const { uuid } = membersOf(text);
  return typeof uuid === 'string' ? uuid : undefined;
}

/** Reads the type of a message; undefined for text that is no message. */
export function typeOf(text: string): string | undefined {
  const { type } = membersOf(text);
  return typeof type === 'string' ? type : undefined;
}

/** Whether a type belongs to control traffic, which concerns two sides only and is of no use to a third. */
export function isControlType(type: string | undefined): boolean {
  return type?.startsWith('control_') === true;
}

/** Reads the id of the request that a message answers; undefined for any other type of message. */
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
