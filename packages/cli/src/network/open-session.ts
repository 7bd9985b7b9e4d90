import { EXIT } from '../run/exit-code.ts';
import { ConnectError } from './connect-error.ts';
import { sessionsUrl, sessionUrl } from './session-address.ts';

/** Which session, on which server. */
export interface OpenSessionOptions {
  readonly base: string;
  /** Its id; `new` makes one. */
  readonly session: string;
  readonly token: string | undefined;
  /** Makes a new one where there is no such session, or it was put away. Default false. */
  readonly newIfGone?: boolean | undefined;
}

/** A session that is there. */
export interface OpenedSession {
  readonly id: string;
  readonly url: string;
  /** Whether it was made just now. */
  readonly isNew: boolean;
  /** The last event that is in its log. */
  readonly last: number;
}

const TIMEOUT_MS = 15_000;
// Behind the end of any log: what comes back is where that is.
const NOTHING = 'after=999999999999999&limit=1';

/** Makes a session, or looks whether it is there. Rejects with a `ConnectError`. */
export async function openSession(options: OpenSessionOptions): Promise<OpenedSession> {
  const { base, session, token, newIfGone = false } = options;
  const ask = async (url: string, init: RequestInit = {}): Promise<Readonly<Record<string, unknown>>> => {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch(url, { ...init, headers, redirect: 'manual', signal }).catch((error: unknown) => {
      throw unreachable(error);
    });
    const body: unknown = await response.json().catch(() => undefined);
    if (!response.ok) throw ConnectError.ofStatus(response.status, String(Object(Object(body).error).message ?? ''));
    return Object(body);
  };
  if (session !== 'new') {
    const url = sessionUrl(base, session);
    if (!newIfGone || (await isThere(ask(url)))) {
      const { last_sequence_num: last } = await ask(`${url}/events?${NOTHING}`);
      return { id: session, url, last: Number(last ?? 0), isNew: false };
    }
  }
  const made = await ask(sessionsUrl(base), { method: 'POST', body: '{}' });
  const { id } = Object(made['session']) as { readonly id?: unknown };
  if (typeof id !== 'string') throw ConnectError.ofStatus(200, 'it is no server of sessions');
  return { id, url: sessionUrl(base, id), last: 0, isNew: true };
}

/** Whether a server has a session that can be written to; rejects where it does not say that it has none. */
async function isThere(asking: Promise<Readonly<Record<string, unknown>>>): Promise<boolean> {
  try {
    return Object((await asking)['session']).archived !== true;
  } catch (error) {
    if (error instanceof ConnectError && error.report.code === 'not_found') return false;
    throw error;
  }
}

function unreachable(error: unknown): ConnectError {
  const { cause, name } = Object(error) as { readonly cause?: { readonly code?: string }; readonly name?: string };
  const why = name === 'TimeoutError' ? `no answer within ${TIMEOUT_MS / 1000} s` : (cause?.code ?? 'no connection');
  return new ConnectError(EXIT.unreachable, {
    code: 'unreachable',
    message: `the server cannot be reached: ${why}`,
    retryable: true,
  });
}
