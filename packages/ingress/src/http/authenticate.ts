import { type Account, mayEnter } from '../auth/accounts.ts';
import type { WorkerClaims } from '../auth/worker-tokens.ts';
import { accountName, workerName } from '../rate/rate-limits.ts';
import type { Session } from '../session/session.ts';
import type { IngressContext } from './ingress-context.ts';
import { Refusal, unavailable } from './refusal.ts';

/** Who asks, by the token of an account in a header. */
export function accountOf(context: IngressContext, request: Request): Promise<Account> {
  return accountByToken(context, bearerOf(request));
}

/**
 * The driver who asks.
 * @throws {Refusal} with status 403 for an account of another role.
 */
export async function driverOf(context: IngressContext, request: Request): Promise<Account> {
  const account = await accountOf(context, request);
  if (account.role !== 'driver') throw forbidden('only a driver may', 'role');
  return account;
}

/** Who asks, by the token of an account; without one, whoever comes without a token. */
export async function accountByToken({ accounts, rates }: IngressContext, token?: string): Promise<Account> {
  const account = token === undefined ? accounts.anonymous : await accounts.accountOf(token);
  if (account === undefined) throw unauthenticated();
  if (account === 'unavailable') throw accountsUnavailable();
  rates.request(accountName(account.name));
  return account;
}

/** Who asks for an event stream: by a token, or by a ticket where only a URL can be given. */
export async function readerOf(context: IngressContext, request: Request, session: string): Promise<Account> {
  const ticket = new URL(request.url).searchParams.get('ticket');
  if (ticket === null) return accountOf(context, request);
  const { tickets } = context;
  const holder = tickets.holderOf(ticket, session);
  // Before the ticket is used up: whoever is told to come again comes with the same one.
  if (holder !== undefined) await refuseEnded(context, holder);
  const account = tickets.redeem(ticket, session);
  if (account === undefined) throw unauthenticated();
  return account;
}

/** Refuses what an account asked for, where the account was taken away or changed since, such as while a body arrived. */
export async function refuseEnded({ accounts }: IngressContext, account: Account): Promise<void> {
  const reason = await accounts.whyEnded(account);
  if (reason === 'revoked') throw unauthenticated();
  if (reason === 'unavailable') throw accountsUnavailable();
}

/** Which worker asks. A token of another session is no mistake that asking again could mend. */
export async function workerOf(context: IngressContext, request: Request, session: string): Promise<WorkerClaims> {
  const token = bearerOf(request);
  const claims = token === undefined ? undefined : await context.workerTokens.verify(token);
  if (claims === undefined) throw unauthenticated();
  if (claims.session !== session) throw forbidden('the token is of another session', 'session');
  context.rates.request(workerName(session));
  return claims;
}

/** A session by its id; for an account, one that it may enter. */
export async function sessionOf({ sessions }: IngressContext, id: string, account?: Account): Promise<Session> {
  if (account !== undefined && !mayEnter(account, id)) throw forbidden('the account is limited to others', 'session');
  if (!sessions.hasRoom(id)) throw tooManySessions();
  const session = await sessions.find(id);
  if (session === undefined)
    throw new Refusal(404, 'not_found_error', 'no such session', { details: { resource: 'session' } });
  return session;
}

/** What is refused until there is room in memory. */
export function tooManySessions(): Refusal {
  return new Refusal(429, 'rate_limit_error', 'too many sessions', { headers: { 'retry-after': '5' } });
}

/** What is refused for good to somebody who is known; `resource` is what clients show as the reason. */
export function forbidden(message: string, resource: string): Refusal {
  return new Refusal(403, 'permission_error', message, { details: { resource } });
}

/** What is refused for as long as nobody can tell whose a token is. */
function accountsUnavailable(): Refusal {
  return unavailable('accounts_unavailable', 'the accounts of this server cannot be read now');
}

function unauthenticated(): Refusal {
  return new Refusal(401, 'authentication_error', 'a valid token is needed', {
    headers: { 'www-authenticate': 'Bearer' },
  });
}

function bearerOf(request: Request): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(request.headers.get('authorization') ?? '')?.[1];
}
