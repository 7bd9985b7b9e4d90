import type { Line } from '@proto/core/framing';

/** As published clients say who they are where they cannot set a header. */
export function credentialFrame(token: string): string {
  return `${JSON.stringify({ type: 'auth', credential: { type: 'oauth', token } })}\n`;
}

/** The token of such a frame; undefined for any other line. */
export function tokenOf(line: Line | undefined): string | undefined {
  if (typeof line !== 'string') return undefined;
  try {
    const { type, credential } = JSON.parse(line) as { type?: unknown; credential?: { token?: unknown } };
    const token = credential?.token;
    return type === 'auth' && typeof token === 'string' ? token : undefined;
  } catch {
    return undefined;
  }
}
