import type { ServerConnection } from '@proto/transport-websocket';
import { checkTimes } from './check-times.ts';
import { ElsewhereResponse } from './forwarding/elsewhere-response.ts';
import type { Forwarding } from './forwarding/forwarding.ts';
import { NotOwner } from './forwarding/not-owner.ts';
import { createGuard } from './http/guard.ts';
import { createIngressApp } from './http/ingress-app.ts';
import { createIngressContext, type IngressBindings } from './http/ingress-context.ts';
import { MAX_ENTRIES } from './http/parameters.ts';
import { type AnswerPost, createAnswerPost } from './posts/answer-post.ts';
import { answerToError, draining } from './http/refusal.ts';
import type { IngressOptions } from './ingress-options.ts';
import { startMaintenance } from './maintenance.ts';
import { closeCodes } from './socket/link-sink.ts';
import { observePosts, observeUpgrade } from './observe/observe-answers.ts';
import { type AcceptSocket, socketRoutes } from './socket/socket-routes.ts';

// A secret must be as long as the signature: a shorter secret could be found by brute force.
const MIN_SECRET_LENGTH = 32;
const EXPIRING = ['workerTokenMs', 'ticketMs'];
/** The minimum length of the metrics token. It is the same as for the token of an account. */
const MIN_TOKEN_LENGTH = 16;

/** The session endpoints, for any HTTP server. */
export interface Ingress {
  /** Answers a request. Never rejects. */
  fetch(request: Request, bindings?: IngressBindings): Promise<Response>;
  /**
   * Checks a request for a WebSocket. Fulfils with the function that accepts the socket, or with the response that refuses it. Returns undefined for
   * an address that has no WebSocket. Never rejects. `selectProtocol` of `@proto/transport-websocket` chooses the subprotocol. With `cluster`, the
   * response may have a member `to`: the node to which you must forward the whole connection.
   */
  upgrade(request: Request): Promise<AcceptSocket | Response> | undefined;
  /**
   * Refuses further requests, ends the event streams, and settles after all requests in progress were answered. Other nodes can then take over the
   * sessions immediately.
   */
  drain(): Promise<void>;
}

/**
 * Creates the session endpoints for the sessions in a log.
 *
 * @example
 * ```ts
 * import { createAccounts, createIngress, createMemoryEventLog } from '@proto/ingress';
 *
 * const accounts = await createAccounts([{ name: 'alice', role: 'driver', token: 'the-token-of-alice' }]);
 * const ingress = createIngress({ log: createMemoryEventLog(), accounts });
 * const response = await ingress.fetch(new Request('http://localhost/healthz'));
 * ```
 *
 * @throws {TypeError} for a secret of fewer than 32 characters, for a metrics token of fewer than 16 characters, for a `cluster` without `forward`, and
 * for an address or a secret of `notify` that cannot be used.
 * @throws {RangeError} for a time that is not a number above 0 (`silenceMs` may be 0), and for tokens, tickets or claims that would never expire.
 */
export function createIngress(options: IngressOptions): Ingress {
  if (options.cluster !== undefined && options.cluster.forward === undefined) {
    throw new TypeError('ingress: cluster.forward is missing: set it, or use listen, which forwards requests itself');
  }
  const { fetch, upgrade, drain } = createNodeIngress(options);
  return { fetch, upgrade, drain };
}

/** The session endpoints, with a faster path for Node. */
export interface NodeIngress extends Ingress {
  /** Answers a POST of messages. `fetch` also calls this function. */
  readonly answerPost: AnswerPost;
}

/** Creates the session endpoints for a Node server. @throws {TypeError} as `createIngress`. */
export function createNodeIngress(options: IngressOptions): NodeIngress {
  checkSecrets(options);
  checkTimes(options.limits, ['keepaliveMs', 'stallTimeoutMs', ...EXPIRING], EXPIRING);
  checkTimes(options.cluster, ['ttlMs'], ['ttlMs']);
  const context = createIngressContext(options);
  const { sessions, notifier, forwarding, onError } = context;
  const guard = createGuard(options);
  const links = new Set<ServerConnection>();
  const { limits: { silenceMs } = {}, clock } = options;
  const limits = { maxLineBytes: context.maxBodyBytes, maxFrameLines: MAX_ENTRIES };
  const findSocketRoute = socketRoutes(context, { ...context, ...limits, links, silenceMs, clock });
  let isDraining = false;
  const { observer } = options;
  const checks = { guard, isDraining: () => isDraining };
  const answerPost = observePosts(createAnswerPost(context, { ...checks, onError }), observer);
  const app = createIngressApp(context, { ...checks, answerPost, options });
  const stopMaintenance = startMaintenance(context);
  const { counted, settled } = countAnswers();
  const endAll = () => {
    for (const session of sessions.alive) session.subscribers.endAll();
    // `links` includes links that do not read a session yet.
    for (const link of links) link.close(closeCodes.draining);
    forwarding?.endAll();
  };

  return {
    fetch: (request, bindings = {}) => counted(async () => app.fetch(request, bindings)),
    answerPost: (request) => counted(() => answerPost(request)),
    upgrade(request) {
      const route = findSocketRoute(request);
      if (route === undefined) return undefined;
      const accept = async () => {
        guard(request);
        const found = await orElsewhere(route(), request, forwarding);
        // Draining may have begun in the meantime.
        if (isDraining) throw draining();
        return found;
      };
      const accepted = accept().catch((error: unknown) => answerToError(error, onError));
      return observer === undefined ? accepted : observeUpgrade(request.url, accepted, observer);
    },
    async drain() {
      isDraining = true;
      stopMaintenance();
      endAll();
      await settled();
      // A stream may have been opened in the meantime.
      endAll();
      notifier?.close();
      await sessions.close();
    },
  };
}

/** Counts the answers in progress. A set of promises would need several more promises for each answer. */
function countAnswers() {
  let underWay = { count: 0, onNone() {} };
  let earlier: Promise<unknown> = Promise.resolve();
  const counted = async <Answer>(answer: () => Promise<Answer>): Promise<Answer> => {
    const counter = underWay;
    counter.count++;
    try {
      return await answer();
    } finally {
      if (--counter.count === 0) counter.onNone();
    }
  };
  /**
   * Settles when all answers that are in progress at the time of the call have ended. Later answers are counted separately, so that a flood of
   * requests cannot delay the caller.
   */
  const settled = () => {
    const present = underWay;
    underWay = { count: 0, onNone() {} };
    const ended = new Promise<void>((resolve) => (present.count === 0 ? resolve() : (present.onNone = resolve)));
    earlier = Promise.all([earlier, ended]);
    return earlier;
  };
  return { counted, settled };
}

function checkSecrets({ secret, metrics }: IngressOptions): void {
  if (secret !== undefined && secret.length < MIN_SECRET_LENGTH) {
    throw new TypeError(`ingress: each secret must have at least ${MIN_SECRET_LENGTH} characters`);
  }
  if (metrics !== undefined && metrics.token.length < MIN_TOKEN_LENGTH) {
    throw new TypeError(`ingress: the token for metrics must have at least ${MIN_TOKEN_LENGTH} characters`);
  }
}

async function orElsewhere<Found>(
  finding: Promise<Found>,
  request: Request,
  forwarding: Forwarding | undefined,
): Promise<Found | ElsewhereResponse> {
  try {
    return await finding;
  } catch (error) {
    if (!(error instanceof NotOwner) || forwarding === undefined) throw error;
    return new ElsewhereResponse(forwarding.to(error, request));
  }
}
