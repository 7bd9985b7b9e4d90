import type { Account } from '../auth/accounts.ts';
import { maySend } from '../auth/rights.ts';
import { inSteps } from '../event-loop.ts';
import type { CutBodyOptions } from '../json/cut-body.ts';
import type { Entry, EntryRefusal, EntryResult } from '../session/entry.ts';
import type { Session } from '../session/session.ts';
import { accountOf, forbidden, refuseEnded, sessionOf } from '../http/authenticate.ts';
import type { IngressContext } from '../http/ingress-context.ts';
import { entriesOf, MAX_ENTRIES } from '../http/parameters.ts';
import { entriesOfBody, type EntriesOfBodyOptions } from './entries-of-body.ts';
import { type BodyRequest, readBody } from '../http/read-body.ts';
import { Refusal } from '../http/refusal.ts';
import { conflict, type WorkerRequests } from '../http/worker-requests.ts';

export const EVENTS: CutBodyOptions = { list: 'events', maxEntries: MAX_ENTRIES };

/** Stores the messages of a client. Returns the answer. @throws {Refusal} */
export async function postFromClient(
  context: IngressContext,
  request: BodyRequest,
  id: string,
): Promise<{ readonly events: readonly EntryResult[] }> {
  const account = await accountOf(context, request);
  const session = await sessionOf(context, id, account);
  // The role is checked before the body: a viewer may send nothing, so its body is not read.
  if (account.role === 'viewer') throw forbidden('a viewer may not send messages', 'role');
  const limits = { maxBytes: bodyBytesOf(context, account, session), take: context.rates.ofAccount(account) };
  const body = await readBody(request, limits, EVENTS);
  await refuseEnded(context, account);
  const { session_id: named } = body.members;
  if (named !== undefined && named !== id) {
    throw new Refusal(400, 'invalid_request_error', 'session_id is the id of another session');
  }
  // Every message from a client is stored.
  const options = { isEphemeral: () => false, isUnambiguous: account.role !== 'driver' };
  const posted = await inSteps(entriesOfBody(entriesOf(body, 'events'), options));
  for (const entry of posted) refuseUnlessAllowed(account, entry);
  if (session.record.archived) throw new Refusal(410, 'session_not_active', 'the session is archived');
  const failure = session.agentFailure;
  if (failure !== undefined) throw new Refusal(502, failure.type, failure.message);
  const { name, role } = account;
  return { events: await session.postFromClient(posted, { source: 'client', name, role }) };
}

const OF_WORKER: EntriesOfBodyOptions = { isEphemeral: ({ members }) => members['ephemeral'] === true };

/** Stores the messages of a worker. Returns the answer. @throws {Refusal} */
export async function postFromWorker(
  requests: WorkerRequests,
  request: BodyRequest,
  id: string,
): Promise<{ readonly results: readonly EntryResult[]; readonly has_subscribers: boolean }> {
  const { token, session, body, epoch } = await requests.receive(request, id, Infinity, EVENTS);
  const posted = await inSteps(entriesOfBody(entriesOf(body, 'events'), OF_WORKER));
  const results = await session.postFromWorker(token, epoch, posted);
  if (typeof results === 'string') throw conflict(results);
  return { results, has_subscribers: session.subscribers.viewers > 0 };
}

// A bare message has no envelope that could mark it as ephemeral.
const OF_BARE_WORKER: EntriesOfBodyOptions = { isEphemeral: (_, type) => type === 'stream_event' };

/** Stores the messages of a worker that posts them without envelopes and without an epoch. Returns the answer. @throws {Refusal} */
export async function postFromBareWorker(
  requests: WorkerRequests,
  request: BodyRequest,
  id: string,
): Promise<{ readonly results: readonly EntryResult[] }> {
  const found = await requests.withLease(request, id);
  const body = await requests.readBody(request, found, Infinity, { ...EVENTS, isBare: true });
  const posted = await inSteps(entriesOfBody(entriesOf(body, 'events'), OF_BARE_WORKER));
  const results = await found.session.postFromWorker(found.token, undefined, posted);
  if (typeof results === 'string') throw conflict(results);
  return { results };
}

function bodyBytesOf({ maxBodyBytes }: IngressContext, { role }: Account, session: Session): number {
  if (role === 'driver') return maxBodyBytes;
  return Math.min(maxBodyBytes, session.maxAnswerBytes);
}

/** Refuses a whole POST if one of its messages is refused or may not be sent by this account, because the other messages may depend on it. */
function refuseUnlessAllowed(account: Account, entry: Entry | EntryRefusal): void {
  if (entry === 'invalid_entry') return;
  if (typeof entry === 'string') throw new Refusal(400, 'invalid_request_error', `an entry was refused: ${entry}`);
  if (!maySend(account, entry.type, entry.payload))
    throw forbidden(`an account with the role "${account.role}" may not send this message`, 'role');
}
