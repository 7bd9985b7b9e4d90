import type { Context } from 'hono';
import { forwardByFetch } from './forward-by-fetch.ts';
import { namesChecked } from './forwarded-headers.ts';
import type { ForwardTo } from './forwarding.ts';
import type { SessionElsewhere } from './session-elsewhere.ts';
import type { HonoTypes, IngressContext } from '../http/ingress-context.ts';
import { moving, oddConnection } from '../http/refusal.ts';
import { conflict } from '../http/worker-requests.ts';

/** The session in the address of a request. */
const SESSION = /^\/v1\/(?:code\/sessions|session_ingress\/session)\/([^/]+)/;

/** Sends a request on to the node that has its session. Returns its answer, or the refusal for the time in which nobody has the session. */
export async function forward(
  { forwarding, forwardByFetch: send }: IngressContext,
  elsewhere: SessionElsewhere,
  c: Context<HonoTypes>,
): Promise<Response> {
  // The agent of this node has to end: the other node starts one of its own.
  if (c.env?.isOwn === true) throw conflict('superseded_by_worker');
  if (namesChecked(c.req.raw.headers.get('connection') ?? '')) throw oddConnection();
  const to = forwarding?.to(elsewhere, c.req.raw);
  const sendOn = c.env?.forward ?? (send && ((target: ForwardTo) => forwardByFetch(c.req.raw, target, send)));
  const answer = to && (await sendOn?.(to));
  if (answer === undefined) return moving().response();
  c.set('isForwarded', true);
  return answer;
}

/** Replaces the answer if this node has lost the session while it answered, for example because its process was stopped: the answer may be out of date. */
export function refuseStale({ sessions }: IngressContext, c: Context<HonoTypes>): void {
  const { claims } = sessions;
  if (claims === undefined || c.get('isForwarded') === true) return;
  const isAnswer = c.res.ok && c.res.headers.get('content-type')?.startsWith('application/json') === true;
  const [, session] = SESSION.exec(c.req.path) ?? [];
  if (isAnswer && session !== undefined && !sessions.mayAnswerFor(session)) c.res = moving().response();
}
