import type { LogLink } from '@proto/transport-websocket';
import { createAccountChecks } from './auth/account-checks.ts';
import { createTickets, DEFAULT_TICKET_MS } from './auth/tickets.ts';
import { createKeptSecret, createWorkerTokens, DEFAULT_WORKER_TOKEN_MS, onceDone } from './auth/worker-tokens.ts';
import { createGuard } from './http/guard.ts';
import { createIngressApp } from './http/ingress-app.ts';
import {
  DEFAULT_MAX_BODY_BYTES,
  DEFAULT_MAX_SESSIONS,
  DEFAULT_MAX_STORED_SESSIONS,
  DEFAULT_MAX_STREAMS,
} from './http/ingress-context.ts';
import { MAX_ENTRIES } from './http/parameters.ts';
import { answerToError, draining } from './http/refusal.ts';
import { DEFAULT_KEEPALIVE_MS, type IngressOptions } from './ingress-options.ts';
import { startMaintenance } from './maintenance.ts';
import { createAnswerRate, DEFAULT_MAX_BYTES_PER_SECOND, DEFAULT_MAX_REQUESTS_PER_SECOND } from './rate/rate-limit.ts';
import { RateLimits } from './rate/rate-limits.ts';
import { createSessions } from './session/sessions.ts';
import { closeCodes } from './socket/link-sink.ts';
import { type AcceptSocket, socketRoutes } from './socket/socket-routes.ts';
import { DEFAULT_STALL_TIMEOUT_MS } from './stream/event-reader.ts';
import type { OpenSink } from './stream/event-sink.ts';

// As long as what it signs with is: what is shorter could be tried out.
const MIN_SECRET_LENGTH = 32;

/** What a server hands over with a request, where it can do better than a `Response`. */
export interface IngressBindings {
  readonly openSink?: OpenSink;
}

/** The endpoints of sessions, for any server. */
export interface Ingress {
  /** Answers a request; never rejects. */
  fetch(request: Request, bindings?: IngressBindings): Promise<Response>;
  /**
   * Looks at a request that wants to become a WebSocket: gives what takes its socket, or the answer that refuses it; undefined where the
   * address is none of a socket. Never rejects. `selectProtocol` of `@proto/transport-websocket` chooses the subprotocol.
   */
  upgrade(request: Request): Promise<AcceptSocket | Response> | undefined;
  /** Takes no more requests, ends the event streams, and settles when what was under way is answered. */
  drain(): Promise<void>;
}

/** Makes the endpoints of a session ingress over a log. */
export function createIngress(options: IngressOptions): Ingress {
  const { log, agents, now = Date.now, onError = () => {}, publicUrl } = options;
  if (options.secret !== undefined && options.secret.length < MIN_SECRET_LENGTH) {
    throw new TypeError(`ingress: a secret has at least ${MIN_SECRET_LENGTH} characters`);
  }
  const sessions = createSessions({
    log,
    now,
    stallTimeoutMs: options.stallTimeoutMs ?? DEFAULT_STALL_TIMEOUT_MS,
    maxSessions: options.maxSessions ?? DEFAULT_MAX_SESSIONS,
    maxStoredSessions: options.maxStoredSessions ?? DEFAULT_MAX_STORED_SESSIONS,
    agents,
    answerRate: createAnswerRate(now),
    onError,
  });
  const secret = createKeptSecret(log);
  const accounts = createAccountChecks(options.accounts, onError);
  const tickets = createTickets(now, options.ticketMs ?? DEFAULT_TICKET_MS);
  const context = {
    log,
    sessions,
    accounts,
    tickets,
    workerTokens: onceDone(async () =>
      createWorkerTokens(
        options.secret ?? (await secret.read()),
        now,
        options.workerTokenMs ?? DEFAULT_WORKER_TOKEN_MS,
      ),
    ),
    publicUrl,
    maxBodyBytes: options.maxBodyBytes ?? DEFAULT_MAX_BODY_BYTES,
    maxStreams: options.maxStreams ?? DEFAULT_MAX_STREAMS,
    rates: new RateLimits({
      maxRequestsPerSecond: options.maxRequestsPerSecond ?? DEFAULT_MAX_REQUESTS_PER_SECOND,
      maxBytesPerSecond: options.maxBytesPerSecond ?? DEFAULT_MAX_BYTES_PER_SECOND,
      now,
    }),
    onError,
  };
  const guard = createGuard(options);
  const links = new Set<LogLink>();
  const sockets = socketRoutes(context, {
    links,
    maxStreams: context.maxStreams,
    maxLineBytes: context.maxBodyBytes,
    maxFrameLines: MAX_ENTRIES,
    rates: context.rates,
    silenceMs: options.silenceMs,
    clock: options.clock,
    accounts,
    onError,
  });
  let isDraining = false;
  const app = createIngressApp(context, { guard, isDraining: () => isDraining, onError });
  const leave = startMaintenance({
    log,
    sessions,
    secret,
    accounts,
    tickets,
    keepaliveMs: options.keepaliveMs ?? DEFAULT_KEEPALIVE_MS,
    onError,
  });
  const underWay = new Set<Promise<unknown>>();

  return {
    async fetch(request, bindings = {}) {
      const answer = Promise.resolve(app.fetch(request, bindings));
      underWay.add(answer);
      try {
        return await answer;
      } finally {
        underWay.delete(answer);
      }
    },
    upgrade(request) {
      const route = sockets(request);
      if (route === undefined) return undefined;
      const look = async () => {
        guard(request);
        const accept = await route();
        // It may have begun meanwhile.
        if (isDraining) throw draining();
        return accept;
      };
      return look().catch((error: unknown) => answerToError(error, onError));
    },
    async drain() {
      isDraining = true;
      leave();
      const endAll = () => {
        for (const session of sessions.alive) session.subscribers.endAll();
        // Those that have not begun to read, as well.
        for (const link of links) link.close(closeCodes.draining);
      };
      endAll();
      await Promise.allSettled(underWay);
      // One that was being opened meanwhile.
      endAll();
    },
  };
}
