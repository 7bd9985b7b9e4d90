import { parseJson } from '@proto/core/framing';
import { SessionError, sessionErrorOfStatus } from './session-error.ts';
import { sessionsUrl, sessionUrl } from './session-address.ts';

/** Which session to open on which server. */
export interface OpenSessionOptions {
  /** The address of the server, without a slash at its end. */
  readonly base: string;
  /** The id of a session, or `new` to create a session. */
  readonly session: string;
  /** The token that is sent. Default: none. */
  readonly token?: string | undefined;
  /** The title of a new session. Default: no title. */
  readonly title?: string | undefined;
  /** Creates a new session if the given session does not exist or is archived. Default false. */
  readonly newIfGone?: boolean | undefined;
}

/** A session that exists on its server. */
export interface OpenedSession {
  /** The id of the session, which the server chose. */
  readonly id: string;
  /** The address of the session, `BASE/v1/code/sessions/ID`. */
  readonly url: string;
  /** Whether this call created the session. */
  readonly isNew: boolean;
  /** The sequence number of the last event in the session's log; 0 for an empty log. */
  readonly last: number;
}

const TIMEOUT_MS = 15_000;
// A cursor after the end of any log. The answer contains the actual end.
const NO_EVENTS = 'after=999999999999999&limit=1';

/**
 * Creates a session, or checks that the given session exists. The server must answer each request within 15 s.
 *
 * @example
 * ```ts
 * import { openSession } from '@proto/remote';
 *
 * const { id, url } = await openSession({ base: 'https://agents.example', session: 'new', token: 'the-token-of-alice' });
 * ```
 *
 * @throws SessionError if the server cannot be reached or refuses the request
 */
export async function openSession(options: OpenSessionOptions): Promise<OpenedSession> {
  const { base, session, token, title, newIfGone = false } = options;
  if (session !== 'new') {
    const url = sessionUrl(base, session);
    if (!newIfGone || (await isUsable(requestJson(url, token)))) {
      const { last_sequence_num: last } = await requestJson(`${url}/events?${NO_EVENTS}`, token);
      return { id: session, url, last: Number(last ?? 0), isNew: false };
    }
  }
  const made = await requestJson(sessionsUrl(base), token, { method: 'POST', body: JSON.stringify({ title }) });
  const { id } = Object(made['session']) as { readonly id?: unknown };
  if (typeof id !== 'string')
    throw sessionErrorOfStatus(200, 'no session server answers at this address: check the address');
  return { id, url: sessionUrl(base, id), last: 0, isNew: true };
}

/** Which sessions to list on which server. */
export interface ListSessionsOptions extends Pick<OpenSessionOptions, 'base' | 'token'> {
  /** The maximum number of sessions in a page. Default 20. The server returns at most 100. */
  readonly limit?: number | undefined;
  /** The `nextBefore` of the previous page. Default: the first page. */
  readonly before?: string | undefined;
}

/** A session in a list. */
export interface ListedSession {
  /** The id of the session, which the server chose. */
  readonly id: string;
  /** The title that the creator gave the session; empty if it has no title. */
  readonly title: string;
  /** When the session was created, by the server's clock. */
  readonly createdAt: Date;
  /** Whether the session was archived. An archived session can be read, but accepts no more messages. */
  readonly archived: boolean;
  /** The number of requests that are waiting for an answer. */
  readonly openRequests: number;
}

/** A page of sessions, newest first. */
export interface SessionPage {
  /** The sessions on this page, newest first. */
  readonly sessions: readonly ListedSession[];
  /** The option `before` for the next page; undefined on the last page. */
  readonly nextBefore: string | undefined;
}

/**
 * Lists the sessions that an account may use, newest first. The server must answer within 15 s.
 *
 * @throws SessionError if the server cannot be reached or refuses the request
 */
export async function listSessions({ base, token, limit, before }: ListSessionsOptions): Promise<SessionPage> {
  const query = new URLSearchParams();
  if (limit !== undefined) query.set('limit', String(limit));
  if (before !== undefined) query.set('before', before);
  const { data, next_before: next } = await requestJson(`${sessionsUrl(base)}?${query.toString()}`, token);
  if (!Array.isArray(data)) throw sessionErrorOfStatus(200, 'this server does not list its sessions');
  const sessions = data.map((listed: Body) => ({
    id: String(listed['id']),
    title: String(listed['title']),
    createdAt: new Date(String(listed['created_at'])),
    archived: listed['archived'] === true,
    openRequests: Number(listed['open_requests']),
  }));
  return { sessions, nextBefore: typeof next === 'string' ? next : undefined };
}

/** A token, and how later links get a token. */
export interface PresentToken {
  /** The token for the first link; undefined if no token is sent. */
  readonly token: string | undefined;
  /** Returns the token for a later link; undefined if no token is sent. */
  readonly credential: (() => Promise<string>) | undefined;
}

/**
 * Gets the token for the first link from `ask`, and calls `ask` again for each later link. If a later call returns no token, the last known token is
 * sent again, so that the server's answer explains what is wrong with the token.
 */
export async function askForToken(ask: () => Promise<string | undefined>): Promise<PresentToken> {
  const token = await ask();
  return { token, credential: token === undefined ? undefined : async () => (await ask()) ?? token };
}

type Body = Readonly<Record<string, unknown>>;

/** Sends a request to a session server, and returns its answer. @throws SessionError if the server cannot be reached or refuses the request */
export async function requestJson(url: string, token: string | undefined, init: RequestInit = {}): Promise<Body> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const response = await fetch(url, { ...init, headers, redirect: 'manual', signal }).catch((error: unknown) => {
    throw unreachable(error);
  });
  // An answer that breaks off is not an empty answer: the caller would take it for the end of a list.
  const text = await response.text().catch((error: unknown) => {
    throw unreachable(error);
  });
  const body = parsed(text);
  if (!response.ok) throw sessionErrorOfStatus(response.status, String(Object(Object(body).error).message ?? ''));
  return Object(body);
}

function parsed(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** Whether the server has the session and accepts messages for it. Rejects if the server does not answer. */
async function isUsable(asking: Promise<Body>): Promise<boolean> {
  try {
    return Object((await asking)['session']).archived !== true;
  } catch (error) {
    if (error instanceof SessionError && error.code === 'not_found') return false;
    throw error;
  }
}

function unreachable(error: unknown): SessionError {
  const { cause, name } = Object(error) as { readonly cause?: { readonly code?: string }; readonly name?: string };
  const why = name === 'TimeoutError' ? `no answer within ${TIMEOUT_MS / 1000} s` : (cause?.code ?? 'no connection');
  return new SessionError('unreachable', `the server cannot be reached: ${why}`, { retryable: true, cause: error });
}
