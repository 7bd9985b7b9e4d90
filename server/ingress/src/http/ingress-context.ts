import { LONGEST_TIMER_MS } from '@proto/core/network';
import { type AccountChecks, createAccountChecks } from '../auth/account-checks.ts';
import { createTickets, type Tickets } from '../auth/tickets.ts';
import { WorkerTokens } from '../auth/worker-tokens.ts';
import { clusterDefaults, type ClusterOptions, originOf } from '../cluster/cluster-options.ts';
import { ingressDefaults, type IngressLimits, type IngressOptions } from '../ingress-options.ts';
import type { EventLog } from '../log/event-log.ts';
import { observeLog } from '../observe/observe-log.ts';
import { createAnswerRate } from '../rate/rate-limit.ts';
import { RateLimits } from '../rate/rate-limits.ts';
import { QuestionNotifier } from '../notify/question-notifier.ts';
import { Sessions } from '../session/sessions.ts';
import { Forwarding, type ForwardTo } from '../forwarding/forwarding.ts';
import type { OpenSink } from '../stream/event-sink.ts';
import type { Guarded } from './guard.ts';

/** The objects that all routes share. */
export interface IngressContext {
  readonly log: EventLog;
  readonly sessions: Sessions;
  /** Undefined if nobody is notified. */
  readonly notifier: QuestionNotifier | undefined;
  readonly accounts: AccountChecks;
  readonly tickets: Tickets;
  readonly workerTokens: WorkerTokens;
  readonly publicUrl: string | undefined;
  readonly maxBodyBytes: number;
  readonly maxStreams: number;
  readonly keepaliveMs: number;
  /** See `IngressOptions.clock`. */
  readonly clock: IngressOptions['clock'];
  readonly rates: RateLimits;
  /** Undefined if this is the only node. */
  readonly forwarding: Forwarding | undefined;
  /** See `ClusterOptions.forward`. */
  readonly forwardByFetch: ClusterOptions['forward'];
  /** See `IngressOptions.onError`. */
  readonly onError: (error: unknown) => void;
}

/** What an HTTP server can pass to `fetch` with a request. The functions do some tasks more efficiently than a `Response` allows. */
export interface IngressBindings {
  readonly openSink?: OpenSink;
  /** The address of the client. */
  readonly address?: string | undefined;
  /** Whether the request comes from an agent that this process itself runs. Such a worker loses its lease when another node owns the session. */
  readonly isOwn?: boolean;
  /** Forwards the request to another node. Fulfils with the response that `fetch` must return, or with undefined if that node cannot be reached. */
  readonly forward?: (to: ForwardTo) => Promise<Response | undefined>;
}

/** The types of the values that hono stores with a request. */
export interface HonoTypes {
  Bindings: IngressBindings;
  /** `isForwarded`: another node has answered. */
  Variables: Guarded & { isForwarded?: boolean };
}

/** Creates the objects that all routes share, from the options and their defaults. */
export function createIngressContext(options: IngressOptions): IngressContext {
  const { agents, secret, publicUrl, now = Date.now, onError = () => {} } = options;
  const log = observeLog(options.log, options.observer);
  const limit = (name: keyof typeof ingressDefaults & keyof IngressLimits): number =>
    options.limits?.[name] ?? ingressDefaults[name];
  const accounts = createAccountChecks(options.accounts, onError);
  const { notify, clock } = options;
  const notifier =
    notify && new QuestionNotifier({ ...notify, clock, onError, isOwn: (id) => sessions.mayAnswerFor(id) });
  const sessions = new Sessions({
    log,
    now,
    stallTimeoutMs: limit('stallTimeoutMs'),
    maxSessions: limit('maxSessions'),
    maxStoredSessions: limit('maxStoredSessions'),
    agents,
    notifier,
    answerRate: createAnswerRate(now),
    onError,
    cluster: options.cluster,
    clock: options.clock,
  });
  const rates = new RateLimits({
    maxRequestsPerSecond: limit('maxRequestsPerSecond'),
    maxBytesPerSecond: limit('maxBytesPerSecond'),
    now,
  });
  const workerTokens = new WorkerTokens({
    log,
    secret,
    node: sessions.claims?.name,
    lifetimeMs: limit('workerTokenMs'),
    now,
  });
  return {
    log,
    sessions,
    notifier,
    accounts,
    tickets: createTickets(now, limit('ticketMs'), options.cluster && workerTokens),
    workerTokens,
    publicUrl,
    maxBodyBytes: limit('maxBodyBytes'),
    maxStreams: limit('maxStreams'),
    keepaliveMs: limit('keepaliveMs'),
    clock: options.clock,
    rates,
    forwarding: forwardingOf(options, sessions, accounts),
    forwardByFetch: options.cluster?.forward,
    onError,
  };
}

/** Each open stream carries data at least this often: keep-alives on event streams, and pings on WebSockets. */
const SILENCE_MS = 60_000;

function forwardingOf(
  { cluster, limits: { keepaliveMs = 0, silenceMs = 0 } = {} }: IngressOptions,
  { claims }: Sessions,
  accounts: AccountChecks,
): Forwarding | undefined {
  if (cluster === undefined || claims === undefined) return undefined;
  return new Forwarding({
    node: claims.name,
    url: originOf(cluster.url),
    answerMs: Math.min(cluster.ttlMs ?? clusterDefaults.ttlMs, LONGEST_TIMER_MS),
    silenceMs: Math.min(Math.max(SILENCE_MS, 2 * keepaliveMs, 2 * silenceMs), LONGEST_TIMER_MS),
    accounts,
    doubt: (session) => claims.doubt(session),
  });
}
