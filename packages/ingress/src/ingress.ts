import type { Clock } from '@proto/core/transport';
import type { LogLink } from '@proto/transport-websocket';
import { Hono } from 'hono';
import type { Accounts } from './auth/accounts.ts';
import { createTickets, DEFAULT_TICKET_MS } from './auth/tickets.ts';
import { createWorkerTokens, DEFAULT_WORKER_TOKEN_MS, type WorkerTokens } from './auth/worker-tokens.ts';
import { createGuard, type GuardOptions } from './http/guard.ts';
import {
  DEFAULT_MAX_BODY_BYTES,
  DEFAULT_MAX_SESSIONS,
  DEFAULT_MAX_STREAMS,
  type HonoTypes,
} from './http/ingress-context.ts';
import { createRateLimit, DEFAULT_MAX_REQUESTS_PER_SECOND } from './http/rate-limit.ts';
import { hybridRoutes } from './http/hybrid-routes.ts';
import { Refusal } from './http/refusal.ts';
import { sessionRoutes } from './http/session-routes.ts';
import { viewerRoutes } from './http/viewer-routes.ts';
import { workerRoutes } from './http/worker-routes.ts';
import { EventLogError } from './log/event-log-error.ts';
import type { EventLog } from './log/event-log.ts';
import type { SessionAgents } from './session/session-agents.ts';
import { createSessions } from './session/sessions.ts';
import { closeCodes } from './socket/link-sink.ts';
import { type AcceptSocket, socketRoutes } from './socket/socket-routes.ts';
import { DEFAULT_STALL_TIMEOUT_MS } from './stream/event-reader.ts';
import type { OpenSink } from './stream/event-sink.ts';

/** As often as the published clients expect it; they give up after 45 s of silence. */
export const DEFAULT_KEEPALIVE_MS = 15_000;
const HOUSEKEEPING_MS = 60_000;
/** Where the ingress keeps what is its own, and no session's. */
const OWN_STREAM = '@ingress';

/** What an ingress is made of. */
export interface IngressOptions extends GuardOptions {
  /** Where sessions are kept. Whoever opened it closes it, after `drain`. */
  readonly log: EventLog;
  readonly accounts: Accounts;
  /** Runs the agents of sessions. Default: workers come from elsewhere. */
  readonly agents?: SessionAgents | undefined;
  /** Signs the tokens of workers. Default: one made at random and kept in the log, so that they outlive a restart. */
  readonly secret?: string | undefined;
  /** How clients reach the server from outside, such as `https://sessions.example`. Default: as the request did. */
  readonly publicUrl?: string | undefined;
  readonly workerTokenMs?: number | undefined;
  readonly ticketMs?: number | undefined;
  readonly keepaliveMs?: number | undefined;
  readonly stallTimeoutMs?: number | undefined;
  readonly maxBodyBytes?: number | undefined;
  /** Event streams of one session at a time. */
  readonly maxStreams?: number | undefined;
  readonly maxSessions?: number | undefined;
  /** Of one account, or of the worker of one session; five seconds' worth may come at once. */
  readonly maxRequestsPerSecond?: number | undefined;
  /** How long a WebSocket may be silent before it counts as gone; it is asked three times in that time. Default 45 s. */
  readonly silenceMs?: number | undefined;
  /** The time of WebSockets. Default: that of this machine. */
  readonly clock?: Clock | undefined;
  /** The clock, in milliseconds since 1970. */
  readonly now?: (() => number) | undefined;
  /** Told of what went wrong within the server itself, and was answered with 500 or 503. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

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
  const { log, accounts, now = Date.now, onError = () => {}, publicUrl } = options;
  const { stallTimeoutMs = DEFAULT_STALL_TIMEOUT_MS, agents } = options;
  const sessions = createSessions({ log, now, stallTimeoutMs, agents });
  let secret: Promise<string> | undefined;
  const secretOf = () => (secret ??= options.secret === undefined ? keptSecret(log) : Promise.resolve(options.secret));
  const workerTokens = async (): Promise<WorkerTokens> => {
    const signing = await secretOf().catch((error: unknown) => {
      secret = undefined;
      throw error;
    });
    return createWorkerTokens(signing, now, options.workerTokenMs ?? DEFAULT_WORKER_TOKEN_MS);
  };
  const context = {
    log,
    sessions,
    accounts,
    tickets: createTickets(now, options.ticketMs ?? DEFAULT_TICKET_MS),
    workerTokens,
    publicUrl,
    maxBodyBytes: options.maxBodyBytes ?? DEFAULT_MAX_BODY_BYTES,
    maxStreams: options.maxStreams ?? DEFAULT_MAX_STREAMS,
    maxSessions: options.maxSessions ?? DEFAULT_MAX_SESSIONS,
    limitRate: createRateLimit(options.maxRequestsPerSecond ?? DEFAULT_MAX_REQUESTS_PER_SECOND, now),
  };
  const guard = createGuard(options);
  const links = new Set<LogLink>();
  const sockets = socketRoutes(context, {
    links,
    maxStreams: context.maxStreams,
    maxLineBytes: context.maxBodyBytes,
    silenceMs: options.silenceMs,
    clock: options.clock,
    onError,
  });
  let draining = false;
  const underWay = new Set<Promise<unknown>>();

  const app = new Hono<HonoTypes>()
    .get('/healthz', (c) => c.json({ status: draining ? 'draining' : 'ok' }, draining ? 503 : 200))
    .use(async (c, next) => {
      const cors = guard(c.req.raw);
      c.set('cors', cors);
      if (draining) throw unavailable('draining', 'the server is going down');
      if (c.req.method === 'OPTIONS') return c.body(null, 204, cors);
      await next();
      for (const [name, value] of Object.entries(cors)) c.res.headers.set(name, value);
      return undefined;
    })
    .route('/v1/code/sessions', sessionRoutes(context))
    .route('/v1/code/sessions', viewerRoutes(context))
    .route('/v1/code/sessions', workerRoutes(context))
    .route('/v1/session_ingress/session', hybridRoutes(context))
    .notFound(() => new Refusal(404, 'not_found_error', 'no such endpoint').response())
    .onError((error) => answerTo(error));

  const answerTo = (error: unknown): Response => {
    if (error instanceof Refusal) return error.response();
    onError(error);
    if (!EventLogError.is(error)) return new Refusal(500, 'api_error', 'internal error').response();
    const full = error.code === 'full';
    return unavailable(full ? 'storage_full' : 'storage_failed', 'nothing was stored').response();
  };

  const keepalive = setInterval(() => {
    for (const session of sessions.loaded) session.readers.keepAlive();
  }, options.keepaliveMs ?? DEFAULT_KEEPALIVE_MS);
  const housekeeping = setInterval(() => {
    sessions.release();
    // The secret is written again, because what nobody writes to is dropped.
    const kept =
      options.secret === undefined && secret !== undefined ? secret.then((text) => keep(log, text)) : undefined;
    Promise.resolve(kept)
      .then(() => log.expire())
      .catch(onError);
  }, HOUSEKEEPING_MS);
  // Only Node has it, and only there a timer keeps the process alive.
  for (const timer of [keepalive, housekeeping]) timer.unref?.();

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
        if (draining) throw unavailable('draining', 'the server is going down');
        return accept;
      };
      return look().catch(answerTo);
    },
    async drain() {
      draining = true;
      clearInterval(keepalive);
      clearInterval(housekeeping);
      const endAll = () => {
        for (const session of sessions.loaded) session.readers.endAll();
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

function unavailable(type: string, message: string): Refusal {
  return new Refusal(503, type, message, { headers: { 'retry-after': '5' } });
}

async function keptSecret(log: EventLog): Promise<string> {
  const kept = await log.readDocument(OWN_STREAM, 'secret');
  if (kept !== undefined) return kept;
  const made = crypto.randomUUID() + crypto.randomUUID();
  await keep(log, made);
  return made;
}

function keep(log: EventLog, secret: string): Promise<void> {
  return log.writeDocument(OWN_STREAM, 'secret', secret);
}
