import type { Account } from '../auth/accounts.ts';
import { mayEnter } from '../auth/rights.ts';
import type { WorkerClaims } from '../auth/worker-tokens.ts';
import { NotOwner } from '../forwarding/not-owner.ts';
import { andThen } from '../event-loop.ts';
import type { Session } from '../session/session.ts';
import type { Sessions } from '../session/sessions.ts';
import type { IngressContext } from './ingress-context.ts';
import type { BodyRequest } from './read-body.ts';
import { Refusal, unavailable } from './refusal.ts';

/** The part of a request that identifies its sender. */
export type HeaderRequest = Pick<BodyRequest, 'headers'>;

export function accountOf(context: IngressContext, request: HeaderRequest): Promise<Account> {
  return accountByToken(context, bearerOf(request));
}

/**
 * Returns the account of a request that only drivers may make.
 * @throws {Refusal} with status 403 for an account with another role.
 */
export async function driverOf(context: IngressContext, request: HeaderRequest): Promise<Account> {
  const account = await accountOf(context, request);
  if (account.role !== 'driver') throw forbidden('only a driver may do this', 'role');
  return account;
}

/** Returns the account of a token, or the anonymous account for a request without a token. @throws {Refusal} with status 401, 429 or 503. */
export async function accountByToken({ accounts, rates }: IngressContext, token?: string): Promise<Account> {
  const account = token === undefined ? accounts.anonymous : await accounts.accountOf(token);
  if (account === undefined) throw unauthenticated();
  if (account === 'unavailable') throw accountsUnavailable();
  rates.requestOfAccount(account);
  return account;
}

/** Returns the account of a request for an event stream. The request has a token in its header or a ticket in its URL. */
export async function readerOf(context: IngressContext, request: Request, session: string): Promise<Account> {
  const ticket = new URL(request.url).searchParams.get('ticket');
  if (ticket === null) return accountOf(context, request);
  const { tickets, sessions } = context;
  const holder = tickets.holderOf(ticket, session);
  // Only the node that owns the session knows its tickets.
  if (holder === undefined && (await tickets.isGenuine(ticket, session))) await sessions.find(session);
  // This is checked before the ticket is voided, because a client that has to try again sends the same ticket.
  if (holder !== undefined) await refuseEnded(context, holder);
  const account = tickets.redeem(ticket, session);
  if (account === undefined) throw unauthenticated();
  return account;
}

/** Refuses a request whose account has been removed or changed since it was authenticated, for example while the body arrived. */
export async function refuseEnded({ accounts }: IngressContext, account: Account): Promise<void> {
  const reason = await accounts.whyEnded(account);
  if (reason === 'revoked') throw unauthenticated();
  if (reason === 'unavailable') throw accountsUnavailable();
}

/**
 * Returns the worker of a request. For a token that was verified before, the result is not a promise.
 * @throws {Refusal} with status 401; with status 403 for the token of another session, because another attempt cannot succeed; with status 429.
 */
export function workerOf(
  { workerTokens, rates }: IngressContext,
  request: HeaderRequest,
  session: string,
): WorkerClaims | Promise<WorkerClaims> {
  const token = bearerOf(request);
  return andThen(token === undefined ? undefined : workerTokens.verify(token), (claims) => {
    if (claims === undefined) throw unauthenticated();
    if (claims.session !== session) throw forbidden('the token belongs to another session', 'session');
    rates.requestOfWorker(session);
    return claims;
  });
}

/**
 * Finds a session by its id. For a session in memory, the result is not a promise. Call this before the body of a request is read, because the whole
 * request is forwarded if another node owns the session.
 * @throws {Refusal} for a session that does not exist or that the account may not use.
 * @throws {NotOwner} if another node owns the session.
 */
export function sessionOf({ sessions }: IngressContext, id: string, account?: Account): Session | Promise<Session> {
  if (account !== undefined && !mayEnter(account, id))
    throw forbidden('the account is limited to other sessions', 'session');
  if (!sessions.hasRoom(id)) throw tooManySessions();
  return sessions.present(id) ?? findFor(sessions, id, account);
}

async function findFor(sessions: Sessions, id: string, account?: Account): Promise<Session> {
  try {
    const session = await sessions.find(id);
    if (session !== undefined) return session;
  } catch (error) {
    throw error instanceof NotOwner ? new NotOwner(id, error.url, account) : error;
  }
  throw noSuchSession();
}

/** Returns a session for reading only, whichever node owns it. @throws {Refusal} as `sessionOf`. */
export async function lookAt({ sessions }: IngressContext, id: string): Promise<Session> {
  if (!sessions.hasRoom(id)) throw tooManySessions();
  const session = await sessions.look(id);
  if (session === undefined) throw noSuchSession();
  return session;
}

function noSuchSession(): Refusal {
  return new Refusal(404, 'not_found_error', 'no such session', { details: { resource: 'session' } });
}

/** The refusal of a request because memory has no room for another session. */
export function tooManySessions(): Refusal {
  return new Refusal(429, 'rate_limit_error', 'too many sessions', { headers: { 'retry-after': '5' } });
}

/** The refusal of an action that an account or a worker may never do. Clients show `resource` as the reason. */
export function forbidden(message: string, resource: string): Refusal {
  return new Refusal(403, 'permission_error', message, { details: { resource } });
}

function accountsUnavailable(): Refusal {
  return unavailable('accounts_unavailable', 'the accounts of this server cannot be read at the moment');
}

/** The refusal of a request without a credential, or with a credential that is not accepted. */
export function unauthenticated(): Refusal {
  return new Refusal(401, 'authentication_error', 'a valid token is required', {
    headers: { 'www-authenticate': 'Bearer' },
  });
}

/** The bearer token of a request; undefined if the request has no token. */
export function bearerOf(request: HeaderRequest): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(request.headers.get('authorization') ?? '')?.[1];
}
