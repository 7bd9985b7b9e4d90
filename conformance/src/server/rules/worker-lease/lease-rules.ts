import { isObject } from '@proto/testkit/steps';

import type { Exchange, Observed } from '../../observed.ts';
import { HighestBefore } from '../../../highest-before.ts';
import { onceFor } from '../../../once-for.ts';
import { bodyOf } from '../known-events.ts';
import type { Rule } from '../rule.ts';

interface Lease {
  /** Whether the token was issued together with the epoch. */
  readonly isIssued: boolean;
  readonly token: unknown;
  readonly epoch: number;
  readonly began: number;
  readonly ended: number;
}

/** A worker's request at a time when it is certain who had the lease. */
interface WorkerRequest {
  readonly exchange: Exchange;
  /** The path under `S/worker`, without its query. */
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>> | undefined;
  /** `NaN` if the body has no epoch. */
  readonly epoch: number;
  readonly lease: Lease;
  readonly isPresent: boolean;
  /** Whether the token was issued together with an epoch that is over. */
  readonly isSuperseded: boolean;
  readonly isArchived: boolean;
}

const isTaken = ({ status }: Exchange) => status >= 200 && status <= 299;
const isText = (value: unknown) => typeof value === 'string';

export const leaseRules: readonly Rule[] = [
  risingEpochs('epochs-rise', 'WRK-1', ({ isIssued }) => isIssued),
  risingEpochs('registered-epochs-rise', 'WRK-16', ({ isIssued }) => !isIssued),
  eachRequest('earlier-epochs-refused', 'WRK-4', ({ exchange, epoch, lease, isArchived }) =>
    !isArchived && epoch < lease.epoch && isTaken(exchange)
      ? `the request has the epoch ${epoch}, and the epoch ${lease.epoch} was already given`
      : undefined,
  ),
  eachRequest('superseded-tokens-refused', 'WRK-55', ({ exchange, path, epoch, lease, isSuperseded, isArchived }) =>
    isSuperseded && !isArchived && path !== 'register' && epoch === lease.epoch && isTaken(exchange)
      ? 'its token belongs to a worker that has lost its lease'
      : undefined,
  ),
  eachRequest('later-epochs-refused', 'WRK-6', ({ exchange, epoch, lease }) =>
    epoch > lease.epoch && isTaken(exchange)
      ? `the request has the epoch ${epoch}, and the current epoch is ${lease.epoch}`
      : undefined,
  ),
  eachRequest('epoch-needed', 'WRK-7', ({ exchange, path, body, isPresent, isArchived }) =>
    isPresent &&
    !isArchived &&
    path !== 'register' &&
    body?.['worker_epoch'] === undefined &&
    body !== undefined &&
    exchange.status !== 400
      ? 'its body contains no epoch'
      : undefined,
  ),
  eachRequest('nothing-for-an-earlier-worker', 'WRK-54', ({ exchange, path, isPresent }) =>
    !isPresent && path !== 'register' && exchange.method === 'GET' && isTaken(exchange)
      ? 'its token belongs to a worker that has lost its lease'
      : undefined,
  ),
  eachRequest('no-needless-conflict', 'WRK-10', ({ exchange, path, epoch, lease, isPresent, isArchived }) =>
    isPresent &&
    !isArchived &&
    exchange.status === 409 &&
    (epoch === lease.epoch || path === 'register' || exchange.method === 'GET')
      ? 'the worker has the lease and sent the current epoch'
      : undefined,
  ),
  eachRequest('reason-that-fits', 'WRK-9', ({ exchange, epoch, lease, isPresent, isArchived }) => {
    if (exchange.status !== 409 || !isPresent || isArchived || Number.isNaN(epoch) || epoch === lease.epoch)
      return undefined;
    const fit = epoch < lease.epoch ? 'superseded_by_worker' : 'epoch_stale';
    const reason = exchange.headers['x-ccr-conflict-reason'];
    return reason === fit ? undefined : `the reason in the answer is ${String(reason)} and must be ${fit}`;
  }),
  eachRequest('archived-for-its-worker', 'REM-46', ({ exchange, isArchived }) =>
    isArchived && isTaken(exchange) ? 'its token belongs to a worker whose session is archived' : undefined,
  ),
  eachRequest('reason-of-the-end', 'REM-46', ({ exchange, epoch, lease, isPresent, isArchived }) => {
    if (exchange.status !== 409 || !isPresent || !isArchived || (!Number.isNaN(epoch) && epoch !== lease.epoch))
      return undefined;
    const reason = exchange.headers['x-ccr-conflict-reason'];
    return reason === 'session_not_active'
      ? undefined
      : `the reason in the answer is ${String(reason)} and must be session_not_active`;
  }),
  refused('heartbeats-taken', 'WRK-35', 'POST heartbeat', () => true),
  refused(
    'reports-taken',
    'WRK-23',
    'PUT ',
    ({ external_metadata = {}, internal_metadata = {} }) => isObject(external_metadata) && isObject(internal_metadata),
  ),
  refused('marks-taken', 'REM-42', 'POST events/delivery', ({ updates }) =>
    isListOf(updates, ({ event_id, status }) => isText(event_id) && isText(status)),
  ),
  refused('rows-taken', 'WRK-53', 'POST internal-events', ({ events }) =>
    isListOf(events, ({ payload }) => isObject(payload) && isText(payload['type']) && isText(payload['uuid'])),
  ),
  refused('bodies-taken', 'EVS-54', 'POST events', ({ events }) => Array.isArray(events)),
];

/** Creates a rule for one way to take the lease: each epoch is greater than all epochs that the server gave before the request. */
function risingEpochs(name: string, spec: string, isMeant: (lease: Lease) => boolean): Rule {
  return {
    name,
    spec,
    *check({ exchanges }) {
      for (const [session, leases] of leasesBySession(exchanges)) {
        const earlier = leases.toSorted((a, b) => a.ended - b.ended);
        let highest = 0;
        let known = 0;
        for (const lease of leases.toSorted((a, b) => a.began - b.began)) {
          for (; (earlier[known]?.ended ?? Infinity) < lease.began; known += 1)
            highest = Math.max(highest, earlier[known]?.epoch ?? 0);
          if (isMeant(lease) && lease.epoch <= highest)
            yield `A worker of the session "${session}" got the epoch ${lease.epoch}, although the epoch ${highest} was already given.`;
        }
      }
    },
  };
}

/** Creates a rule for one endpoint: the server must accept valid requests from the worker that has the lease. */
function refused(
  name: string,
  spec: string,
  address: string,
  isGood: (body: Readonly<Record<string, unknown>>) => boolean,
): Rule {
  return eachRequest(name, spec, ({ exchange, path, body, epoch, lease, isPresent, isArchived }) =>
    `${exchange.method} ${path}` === address &&
    isPresent &&
    !isArchived &&
    epoch === lease.epoch &&
    exchange.status >= 400 &&
    exchange.status !== 413 &&
    body !== undefined &&
    isGood(body)
      ? 'the worker has the lease and sent the current epoch'
      : undefined,
  );
}

function isListOf(value: unknown, isGood: (item: Readonly<Record<string, unknown>>) => boolean): boolean {
  return Array.isArray(value) && value.every((item) => isObject(item) && isGood(item));
}

function eachRequest(name: string, spec: string, problem: (request: WorkerRequest) => string | undefined): Rule {
  return {
    name,
    spec,
    *check(observed) {
      for (const request of requestsOf(observed)) {
        const found = problem(request);
        const { method, path, status } = request.exchange;
        if (found !== undefined) yield `${method} ${path} was answered with the status ${status}, but ${found}.`;
      }
    },
  };
}

/** The workers' requests, except requests during which the worker with the lease changed. */
const requestsOf = onceFor((observed: Observed): readonly WorkerRequest[] => {
  const leases = new Map(
    Array.from(leasesBySession(observed.exchanges), ([session, own]) => [session, new Leases(own)]),
  );
  return [...observed.exchanges, ...observed.openings].flatMap((exchange) => requestOf(exchange, leases, observed));
});

/** The leases of a session, in the order in which they were given. */
class Leases {
  readonly #leases: readonly Lease[];
  readonly #byEnd: HighestBefore;
  readonly #byBegin: HighestBefore;
  readonly #lastOfToken: ReadonlyMap<unknown, Lease>;

  constructor(leases: readonly Lease[]) {
    this.#leases = leases;
    this.#byEnd = new HighestBefore(leases.map(({ ended }, place) => ({ at: ended, value: place })));
    this.#byBegin = new HighestBefore(leases.map(({ began, ended }) => ({ at: began, value: ended })));
    this.#lastOfToken = new Map(leases.map((lease) => [lease.token, lease]));
  }

  /** The last lease that was certainly given before a time. */
  before(time: number): Lease | undefined {
    return this.#leases[this.#byEnd.of(time)];
  }

  /** Whether a lease may have been given during a request. */
  hasDuring({ began, ended }: Exchange): boolean {
    return this.#byBegin.of(ended) > began;
  }

  lastOf(token: unknown): Lease | undefined {
    return this.#lastOfToken.get(token);
  }
}

function requestOf(
  exchange: Exchange,
  bySession: ReadonlyMap<string, Leases>,
  { archived }: Observed,
): readonly WorkerRequest[] {
  const [, session = '', path = ''] = /([^/]+)\/worker(?:\/([^?]*))?(?:\?|$)/.exec(exchange.path) ?? [];
  const leases = bySession.get(session);
  const lease = leases?.before(exchange.began);
  const isSure = leases?.hasDuring(exchange) !== true;
  const end = archived.get(session) ?? { began: Infinity, ended: Infinity };
  const isEnding = end.began < exchange.ended && end.ended > exchange.began;
  const last = leases?.lastOf(exchange.token);
  // A registration is itself a change.
  if (lease === undefined || isEnding || last === undefined || (!isSure && path !== 'register')) return [];
  const json = bodyOf(exchange);
  const body = isObject(json) ? json : undefined;
  const epoch = body?.['worker_epoch'];
  const isNumber = typeof epoch === 'number' || (typeof epoch === 'string' && /^\d+$/.test(epoch));
  return [
    {
      exchange,
      path,
      body,
      epoch: isNumber ? Number(epoch) : Number.NaN,
      lease,
      isPresent: exchange.token === lease.token,
      isSuperseded: exchange.token !== lease.token && last.isIssued,
      isArchived: end.ended < exchange.began,
    },
  ];
}

function leasesBySession(exchanges: readonly Exchange[]): ReadonlyMap<string, readonly Lease[]> {
  const leases = new Map<string, Lease[]>();
  for (const { path, token, body, began, ended, status } of exchanges) {
    const [, session, kind] = /([^/]+)\/(bridge|worker\/register)$/.exec(path) ?? [];
    const epoch = isObject(body) ? Number(body['worker_epoch']) : Number.NaN;
    if (session === undefined || status > 299 || Number.isNaN(epoch)) continue;
    const holder = kind === 'bridge' && isObject(body) ? body['worker_jwt'] : token;
    const lease = { token: holder, isIssued: kind === 'bridge', epoch, began, ended };
    if (leases.get(session)?.push(lease) === undefined) leases.set(session, [lease]);
  }
  return leases;
}
