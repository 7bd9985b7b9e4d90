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
 * Forwards a request to the node that has its session, by `forward`. Fulfils with what `forward` fulfils with; with undefined if that node cannot be
 * reached, and for a server without other nodes.
 * @throws {Refusal} with status 409 for the agent of this node, 400 for an odd `Connection` header, 503 for a request that another node has sent here.
 */
export async function sendOn<Answer>(
  { forwarding }: IngressContext,
  elsewhere: NotOwner,
  { headers, isOwn }: SentRequest,
  forward: (to: ForwardTo) => Promise<Answer | undefined>,
): Promise<Answer | undefined> {
  // The agent of this node has to end: the other node starts its own agent.
  if (isOwn === true) throw conflict('superseded_by_worker');
  if (namesChecked(headers.get('connection') ?? '')) throw oddConnection();
  const to = forwarding?.to(elsewhere, { headers });
  return to && forward(to);
}

/** How the server of a request forwards it: in its own way, or by the function of `ClusterOptions.forward`. */
export function forwardFrom(
  { forwardByFetch: send }: IngressContext,
  { env, req }: Context<HonoTypes>,
): (to: ForwardTo) => Promise<Response | undefined> {
  if (env?.forward !== undefined) return env.forward;
  return async (to) => send && forwardByFetch(req.raw, to, send);
}
