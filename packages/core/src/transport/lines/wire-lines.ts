/**
 * The few lines that a medium must say or understand itself. Transports know nothing else of what they carry: not a member, not a type.
 */
import type { Line } from '../../framing/line-decoder.ts';

/** The type of a line that says nothing. It keeps a link alive, and a peer passes it over. */
export const KEEP_ALIVE = 'keep_alive';

/** A line that says nothing, with its line end. */
export const KEEP_ALIVE_LINE = `{"type":"${KEEP_ALIVE}"}\n`;

/** Longer lines are not parsed for a credential, in UTF-16 units. */
const MAX_AUTH_LENGTH = 64 * 1024;

/** The first line of a client that cannot set a header: its token, as published clients say it. With its line end. */
export function authLine(token: string): string {
  return `${JSON.stringify({ type: 'auth', credential: { type: 'oauth', token } })}\n`;
}

/** The token of an auth line; undefined for any other line. */
export function tokenOfAuthLine(line: Line | undefined): string | undefined {
  if (typeof line !== 'string' || line.length > MAX_AUTH_LENGTH) return undefined;
  const { type, credential } = membersOf(line);
  const { token } = Object(credential) as Members;
  return type === 'auth' && typeof token === 'string' ? token : undefined;
}

/** The `uuid` of a message; undefined where it has none, or is no message. */
export function uuidOf(text: string): string | undefined {
  const { uuid } = membersOf(text);
  return typeof uuid === 'string' ? uuid : undefined;
}

/** The type of a message; undefined where it has none, or is no message. */
export function typeOf(text: string): string | undefined {
  const { type } = membersOf(text);
  return typeof type === 'string' ? type : undefined;
}

/** Whether a type is one of control traffic, which is between two sides and of no use to a third. */
export function isControlType(type: string | undefined): boolean {
  return type?.startsWith('control_') === true;
}

/** The id of the request that a message answers; undefined for any other type of message. */
export function answeredRequest(type: string | undefined, text: string): { readonly request_id: unknown } | undefined {
  if (type !== 'control_response') return undefined;
  const { request_id } = Object(membersOf(text)['response']) as Members;
  return { request_id };
}

type Members = Readonly<Record<string, unknown>>;

function membersOf(json: string): Members {
  try {
    return Object(JSON.parse(json)) as Members;
  } catch {
    return {};
  }
}
