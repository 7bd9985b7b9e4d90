import { type Line, parseJson } from '@proto/core/framing';

const MAX_AUTH_LINE_LENGTH = 64 * 1024;

/**
 * Creates the first line of a client that cannot set a header. The line contains the token, in the format that published clients use, and a line end.
 */
export function authLine(token: string): string {
  return `${JSON.stringify({ type: 'auth', credential: { type: 'oauth', token } })}\n`;
}

/** Returns `undefined` for any other line. */
export function tokenOfAuthLine(line: Line | undefined): string | undefined {
  if (typeof line !== 'string' || line.length > MAX_AUTH_LINE_LENGTH) return undefined;
  const { type, credential } = membersOf(line);
  const { token } = Object(credential) as Members;
  return type === 'auth' && typeof token === 'string' ? token : undefined;
}

type Members = Readonly<Record<string, unknown>>;

function membersOf(json: string): Members {
  try {
    return Object(parseJson(json)) as Members;
  } catch {
    return {};
  }
}
