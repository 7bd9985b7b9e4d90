import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { getCookie, setCookie } from 'hono/cookie';
import { AttemptLimit } from './attempt-limit.ts';
import { bodyOf, fail, type InspectorTypes, tooLarge, withHeaders } from './answers.ts';
import type { GuardRefusal } from './guard.ts';
import type { InspectedSessions } from './inspected-sessions.ts';
import { type InspectorPage, readSentences } from './page-file.ts';
import { sessionRoutes } from './session-routes.ts';
import { VISIT_LIFETIME_MS, type Visitors } from './visitors.ts';

/** The options of the page's server. */
export interface InspectorAppOptions {
  readonly page: InspectorPage;
  readonly visitors: Visitors;
  /** The name of the cookie. A browser shares cookies between all ports of a machine, so each server needs a different name. */
  readonly cookie: () => string;
  /** Refuses a request before it is handled. */
  readonly guard: (headers: Headers) => GuardRefusal | undefined;
  /** Returns the sessions to which a token gives access. Default: tokens give no access. */
  readonly admit?: ((token: string) => Promise<InspectedSessions | undefined>) | undefined;
}

const DEFAULT_MAX_ACTION_BYTES = 16 * 2 ** 20;
const MAX_ENTRY_BYTES = 16 * 1024;

/** Creates the routes of the page: `/`, and its requests below `/ui`. */
export function createInspectorApp(options: InspectorAppOptions): Hono<InspectorTypes> {
  const { page, visitors, cookie, guard, admit } = options;
  const app = new Hono<InspectorTypes>();
  const wrongTokens = new AttemptLimit();
  const letIn = (c: Context, sessions: InspectedSessions) => {
    setCookie(c, cookie(), visitors.enter(sessions), {
      httpOnly: true,
      sameSite: 'Strict',
      secure: isEncrypted(c),
      path: '/ui',
      maxAge: VISIT_LIFETIME_MS / 1000,
    });
    return c.json({ ok: true });
  };
  app.use(withHeaders, async (c, next) => {
    const refusal = guard(c.req.raw.headers);
    if (refusal !== undefined) return fail(c, refusal.status, refusal.code, refusal.message);
    await next();
    return undefined;
  });
  // The page itself contains no session data, so it can be served without a visit.
  app.get('/', (c) => c.html(page.html, 200, { 'content-security-policy': page.contentSecurityPolicy }));
  app.post('/ui/enter', bodyLimit({ maxSize: MAX_ENTRY_BYTES, onError: tooLarge }), async (c) => {
    const { ticket, token } = await bodyOf(c);
    if (typeof token !== 'string') {
      const sessions = typeof ticket === 'string' ? visitors.redeem(ticket) : undefined;
      if (sessions === undefined)
        return fail(c, 401, 'not-admitted', 'the link was already used, or is older than 60 s');
      return letIn(c, sessions);
    }
    const sessions = await admit?.(token);
    if (sessions !== undefined) return letIn(c, sessions);
    const waitMs = wrongTokens.count(c.env?.address);
    if (waitMs === 0) return fail(c, 401, 'not-admitted', 'the server does not accept this token');
    c.header('retry-after', String(Math.ceil(waitMs / 1000)));
    return fail(
      c,
      429,
      'too-many',
      'the server does not accept this token, and too many wrong tokens were sent from this address: try again later',
    );
  });
  app.use('/ui/*', async (c, next) => {
    const sessions = visitors.visitOf(getCookie(c, cookie()) ?? '');
    if (sessions === undefined || !(await sessions.isCurrent())) {
      return fail(c, 401, 'not-admitted', admit === undefined ? ASK_FOR_LINK : 'sign in with a token');
    }
    c.set('sessions', sessions);
    await next();
    return undefined;
  });
  app.post('/ui/tickets', (c) => c.json({ ticket: visitors.issueTicket(c.get('sessions')) }));
  app.get('/ui/schemas', async (c) => c.body(await readSentences(), 200, { 'content-type': 'application/json' }));
  app.get('/ui/sessions', async (c) => c.json({ sessions: await c.get('sessions').list() }));
  app.use('/ui/sessions/*', bodyLimit({ maxSize: DEFAULT_MAX_ACTION_BYTES, onError: tooLarge }));
  app.route('/ui/sessions', sessionRoutes());
  app.notFound((c) => fail(c, 404, 'not-found', 'this page does not exist'));
  app.onError((error, c) => fail(c, 500, 'failed', error.message));
  return app;
}

const ASK_FOR_LINK = 'open the link that the command printed; each link can be used only once';

/**
 * Whether the connection to this server, or to a proxy in front of it, is encrypted. If the connection to a proxy is encrypted, the `Origin` of the
 * page begins with `https:`.
 */
function isEncrypted(c: Context): boolean {
  return [c.req.url, c.req.header('origin')].some((address) => address?.startsWith('https://') === true);
}
