import { type AccountChecks, createAccountChecks } from '../auth/account-checks.ts';
import { createTickets, type Tickets } from '../auth/tickets.ts';
import { WorkerTokens } from '../auth/worker-tokens.ts';
import { ingressDefaults, type IngressOptions } from '../ingress-options.ts';
import type { EventLog } from '../log/event-log.ts';
import { observeLog } from '../observe/observe-log.ts';
import { createAnswerRate } from '../rate/rate-limit.ts';
import { RateLimits } from '../rate/rate-limits.ts';
import { Sessions } from '../session/sessions.ts';
import type { OpenSink } from '../stream/event-sink.ts';
import type { Guarded } from './guard.ts';

/** What the routes share. */
export interface IngressContext {
  readonly log: EventLog;
  readonly sessions: Sessions;
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
  /** See `IngressOptions.onError`. */
  readonly onError: (error: unknown) => void;
}

/** The types that hono keeps with a request. */
export interface HonoTypes {
  Bindings: { readonly openSink?: OpenSink };
  Variables: Guarded;
}

/** Creates what the routes share, from the options and their defaults. */
export function createIngressContext(options: IngressOptions): IngressContext {
  const { agents, secret, publicUrl, now = Date.now, onError = () => {} } = options;
  const log = observeLog(options.log, options.observer);
  const limit = (name: keyof typeof ingressDefaults & keyof IngressOptions): number =>
    options[name] ?? ingressDefaults[name];
  const accounts = createAccountChecks(options.accounts, onError);
  const sessions = new Sessions({
    log,
    now,
    stallTimeoutMs: limit('stallTimeoutMs'),
    maxSessions: limit('maxSessions'),
    maxStoredSessions: limit('maxStoredSessions'),
    agents,
    answerRate: createAnswerRate(now),
    onError,
    clock: options.clock,
  });
  const rates = new RateLimits({
    maxRequestsPerSecond: limit('maxRequestsPerSecond'),
    maxBytesPerSecond: limit('maxBytesPerSecond'),
    now,
  });
  return {
    log,
    sessions,
    accounts,
    tickets: createTickets(now, limit('ticketMs')),
    workerTokens: new WorkerTokens({ log, secret, lifetimeMs: limit('workerTokenMs'), now }),
    publicUrl,
    maxBodyBytes: limit('maxBodyBytes'),
    maxStreams: limit('maxStreams'),
    keepaliveMs: limit('keepaliveMs'),
    clock: options.clock,
    rates,
    onError,
  };
}
