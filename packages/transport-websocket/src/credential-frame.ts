import type { Line } from '@proto/core/framing';

/** As published clients say who they are where they cannot set a header. */
export function credentialFrame(token: string): string {
  return `${JSON.stringify({ type: 'auth', credential: { type: 'oauth', token } })}\n`;
}

/** A longer line is no credential, in UTF-16 units, and is not parsed. */
const MAX_FRAME_LENGTH = 64 * 1024;

/** The token of such a frame; undefined for any other line. */
export function tokenOf(line: Line | undefined): string | undefined {
  if (typeof line !== 'string' || line.length > MAX_FRAME_LENGTH) return undefined;
  try {
    const { type, credential } = JSON.parse(line) as { type?: unknown; credential?: { token?: unknown } };
    const token = credential?.token;
    return type === 'auth' && typeof token === 'string' ? token : undefined;
  } catch {
    return undefined;
  }
}
