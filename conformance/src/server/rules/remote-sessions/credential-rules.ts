import { isObject } from '@proto/testkit/steps';

import type { Exchange, Observed } from '../../observed.ts';
import type { Rule } from '../rule.ts';
import { entriesOfCarriers, sentEntries } from './sent-entries.ts';

const ADDRESS = /\/v1\/code\/sessions\/([^/?]+)\/([^?]*)/;
/** The endpoints of section 11.1 that every server has. */
const OF_VIEWERS = ['events', 'events/stream'];
const OF_WORKERS = ['worker', 'worker/events', 'worker/events/stream', 'worker/events/delivery', 'worker/heartbeat'];

interface Request {
  readonly exchange: Exchange;
  readonly address: string;
  readonly isKnown: boolean;
  /** The role of the account whose credential was sent, or the session of the worker; `undefined` for an unknown credential. */
  readonly account: string | undefined;
  readonly workerOf: string | undefined;
  readonly session: string;
}

export const credentialRules: readonly Rule[] = [
  eachRequest('no-valid-credential', 'REM-7', ({ exchange, isKnown, account, workerOf, address }) =>
    isKnown && account === undefined && workerOf === undefined && isAddress(address) && exchange.status !== 401
      ? 'its credential is not known'
      : undefined,
  ),
  eachRequest('unknown-session', 'REM-4', ({ exchange, isKnown, account, address }) =>
    !isKnown && account !== undefined && OF_VIEWERS.includes(address) && exchange.status !== 404
      ? 'the session does not exist'
      : undefined,
  ),
  eachRequest('existing-session', 'REM-5', ({ exchange, isKnown, account, workerOf, address, session }) =>
    isKnown &&
    exchange.status === 404 &&
    ((account !== undefined && OF_VIEWERS.includes(address)) || (workerOf === session && OF_WORKERS.includes(address)))
      ? 'the session exists'
      : undefined,
  ),
  eachRequest('drivers-may-send', 'ERR-6', ({ exchange, isKnown, account, address }) =>
    isKnown &&
    account === 'driver' &&
    exchange.method === 'POST' &&
    address === 'events' &&
    [401, 403, 404].includes(exchange.status)
      ? 'its credential belongs to a driver, who may send this request'
      : undefined,
  ),
  {
    name: 'approvers-may-answer',
    spec: 'ERR-6',
    *check(observed) {
      const asked = new Set(
        sentEntries(observed).flatMap(({ session, payload, isOfWorker }) =>
          isOfWorker && payload['type'] === 'control_request' ? [`${session} ${String(payload['request_id'])}`] : [],
        ),
      );
      for (const [carrier, entries] of entriesOfCarriers(observed)) {
        if (carrier === undefined || !('status' in carrier) || carrier.token !== observed.accounts.approver) continue;
        const areAnswers = entries.every(({ session, payload }) => {
          const { subtype, request_id: id } = Object(payload['response']);
          const isAnswer = payload['type'] === 'control_response' && ['success', 'error'].includes(subtype);
          return isAnswer && asked.has(`${session} ${String(id)}`);
        });
        if (areAnswers && [401, 403, 404].includes(carrier.status))
          yield `POST ${carrier.path} was answered with the status ${carrier.status}, but an approver may answer the requests of the worker.`;
      }
    },
  },
  {
    name: 'rights-of-accounts',
    spec: 'REM-55',
    *check(observed) {
      const { accounts } = observed;
      const stored = new Set(
        observed.readings.flatMap(({ kind, session, frames }) =>
          kind === 'stream'
            ? frames.flatMap(({ event, data }) =>
                event === 'client_event' && isObject(data) ? [`${session} ${String(data['event_id'])}`] : [],
              )
            : [],
        ),
      );
      for (const { carrier, payload, session, uuid, times } of sentEntries(observed)) {
        const token = carrier !== undefined && 'token' in carrier ? carrier.token : undefined;
        if (token === undefined || times !== 1 || payload['type'] === 'keep_alive') continue;
        const isBarred = token === accounts.viewer || (token === accounts.approver && !isOfApprovers(payload));
        if (isBarred && stored.has(`${session} ${uuid}`))
          yield `The message ${uuid} was stored, although its account may not send it.`;
      }
    },
  },
];

/** An approver may send answers and `initialize`, which the server itself answers. */
function isOfApprovers({ type, request }: Readonly<Record<string, unknown>>): boolean {
  return type === 'control_response' || (isObject(request) && request['subtype'] === 'initialize');
}

function isAddress(address: string): boolean {
  return OF_VIEWERS.includes(address) || OF_WORKERS.includes(address);
}

function eachRequest(name: string, spec: string, problem: (request: Request) => string | undefined): Rule {
  return {
    name,
    spec,
    *check(observed) {
      const workers = sessionsByWorkerToken(observed);
      const known = new Set([...observed.sessions, ...sessionsCreatedIn(observed)]);
      const roles = new Map(Object.entries(observed.accounts).map(([role, token]) => [token as unknown, role]));
      for (const exchange of [...observed.exchanges, ...observed.openings]) {
        const [, session = '', address = ''] = ADDRESS.exec(exchange.path) ?? [];
        if (session === '') continue;
        const { token, method, path, status } = exchange;
        const found = problem({
          exchange,
          address,
          session,
          isKnown: known.has(session),
          account: roles.get(token),
          workerOf: workers.get(token),
        });
        if (found !== undefined) yield `${method} ${path} was answered with the status ${status}, but ${found}.`;
      }
    },
  };
}

function sessionsByWorkerToken({ exchanges }: Observed): ReadonlyMap<unknown, string> {
  return new Map(
    exchanges.flatMap(({ path, token, body, status }): [unknown, string][] => {
      const [, session, kind] = /([^/]+)\/(bridge|worker\/register)$/.exec(path) ?? [];
      if (session === undefined || status > 299 || !isObject(body)) return [];
      return [[kind === 'bridge' ? body['worker_jwt'] : token, session]];
    }),
  );
}

function sessionsCreatedIn({ exchanges }: Observed): readonly string[] {
  return exchanges.flatMap(({ body }) =>
    isObject(body) && isObject(body['session']) ? [String(body['session']['id'])] : [],
  );
}
