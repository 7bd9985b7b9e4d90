import type { Context, MiddlewareHandler } from 'hono';
import type { InspectedSessions } from './inspected-sessions.ts';

/** The bindings and the variables of a request. */
export interface InspectorTypes {
  /** The address of the client; absent if it is not known. */
  readonly Bindings: { readonly address?: string | undefined };
  readonly Variables: { sessions: InspectedSessions };
}

const HEADERS: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

/** Sets the headers of every answer, including the answers of other handlers. */
export const withHeaders: MiddlewareHandler = async (c, next) => {
  await next();
  for (const [name, value] of Object.entries(HEADERS)) c.res.headers.set(name, value);
};

/** Answers with an error that the page shows. */
export function fail(
  c: Context,
  status: 400 | 401 | 403 | 404 | 409 | 413 | 416 | 429 | 500,
  code: string,
  message: string,
) {
  return c.json({ error: { code, message } }, status);
}

export function tooLarge(c: Context) {
  return fail(c, 413, 'too-large', 'the message is too long');
}

/** Reads the members of a body; there are none if the body is not a JSON object. */
export async function bodyOf(c: Context): Promise<Readonly<Record<string, unknown>>> {
  // A page of another origin cannot send this type without a CORS preflight.
  if (!/^application\/json\b/.test(c.req.header('content-type') ?? '')) return {};
  const body: unknown = await c.req.json().catch(() => undefined);
  return typeof body === 'object' && body !== null && !Array.isArray(body) ? (body as Record<string, unknown>) : {};
}
