import { type Context, Hono } from 'hono';
import { forwardFrom } from '../forwarding/send-on.ts';
import type { HonoTypes, IngressContext } from '../http/ingress-context.ts';
import { type AnswerPost, POST_ROUTES, type PostRequest } from './answer-post.ts';

/**
 * The routes for every POST of messages that arrives as a web `Request`. These routes are registered before the app's checks, because `answerPost`
 * has its own checks.
 */
export function postRoutes(context: IngressContext, answerPost: AnswerPost): Hono<HonoTypes> {
  const routes = new Hono<HonoTypes>();
  for (const [from, route] of Object.entries(POST_ROUTES)) {
    routes.post(route, (c) => answer(context, answerPost, c, from as PostRequest['from']));
  }
  return routes;
}

async function answer(
  context: IngressContext,
  answerPost: AnswerPost,
  c: Context<HonoTypes>,
  from: PostRequest['from'],
): Promise<Response> {
  const { headers, url, body: chunks } = c.req.raw;
  const forward = forwardFrom(context, c);
  let forwarded: Response | undefined;
  const {
    status,
    headers: said,
    body,
  } = await answerPost({
    from,
    session: c.req.param('id') ?? '',
    path: c.req.path,
    headers,
    url,
    body: chunks,
    isOwn: c.env?.isOwn,
    async forward(to) {
      forwarded = await forward(to);
      return forwarded?.status;
    },
  });
  return forwarded ?? new Response(body, { status, headers: said });
}
