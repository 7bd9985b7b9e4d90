import type { Context } from 'hono';
import type { HonoTypes, IngressContext } from '../http/ingress-context.ts';
import { oddConnection } from '../http/refusal.ts';
import { conflict } from '../http/worker-requests.ts';
import { forwardByFetch } from './forward-by-fetch.ts';
import { namesChecked } from './forwarded-headers.ts';
import type { ForwardTo } from './forwarding.ts';
import type { NotOwner } from './not-owner.ts';

/** The parts of a request that decide whether it may be forwarded. */
export interface SentRequest {
  readonly headers: Pick<Headers, 'get'>;
  /** See `IngressBindings.isOwn`. */
  readonly isOwn?: boolean | undefined;
}

/**
 * Forwards a request to the node that owns its session, with `forward`, and returns the result of `forward`. Returns undefined if that node cannot be
 * reached, or if this is the only node.
 * @throws {Refusal} with status 409 if the request is from this node's own agent, 400 for a `Connection` header that is not allowed, 503 for a
 * request that another node has already forwarded.
 */
export async function sendOn<Answer>(
  { forwarding }: IngressContext,
  elsewhere: NotOwner,
  { headers, isOwn }: SentRequest,
  forward: (to: ForwardTo) => Promise<Answer | undefined>,
): Promise<Answer | undefined> {
  // This node's agent must end, because the other node starts its own agent.
  if (isOwn === true) throw conflict('superseded_by_worker');
  if (namesChecked(headers.get('connection') ?? '')) throw oddConnection();
  const to = forwarding?.to(elsewhere, { headers });
  return to && forward(to);
}

/** Returns the function that forwards a request: the built-in function of the server, or `ClusterOptions.forward`. */
export function forwardFrom(
  { forwardByFetch: send }: IngressContext,
  { env, req }: Context<HonoTypes>,
): (to: ForwardTo) => Promise<Response | undefined> {
  if (env?.forward !== undefined) return env.forward;
  return async (to) => send && forwardByFetch(req.raw, to, send);
}
