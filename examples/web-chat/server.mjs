// The server of the chat: a Hono app with the session server in it, an agent for each session, and the page.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { getRequestListener } from '@hono/node-server';
import { serveStatic } from '@hono/node-server/serve-static';
import { acceptUpgrade, addInternalAccount, createAccounts, createIngress, openSqliteEventLog } from '@proto/ingress';
import { sessionUrl } from '@proto/remote';
import { keepToken } from '@proto/remote/node';
import { createLocalAgents } from '@proto/remote/worker';
import { build } from 'esbuild';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { secureHeaders } from 'hono/secure-headers';

const PAGE = join(import.meta.dirname, 'page');
// The page loads and connects to nothing but its own server. Images are part of messages.
const POLICY = { defaultSrc: ["'self'"], imgSrc: ['data:'], baseUri: ["'none'"], frameAncestors: ["'none'"] };

/** Starts the chat on 127.0.0.1. `agent` is a command, `cwd` its folder, and `folder` the place of the sessions and of the token. */
export async function startChat({ agent, cwd, folder, port = 0, onStderr = () => {} }) {
  const token = await keepToken(join(folder, 'token'));
  const accounts = await addInternalAccount(await createAccounts([{ name: 'you', role: 'driver', token }]));
  const log = await openSqliteEventLog({ file: join(folder, 'sessions.db') });
  const agents = createLocalAgents({
    program: { agent, cwd, env: process.env },
    url: (session) => sessionUrl(url, session),
    token: accounts.internalToken,
    fetch: (request) => ingress.fetch(request),
    onStderr,
  });
  const ingress = createIngress({ log, accounts, agents });
  let code;
  const app = new Hono();
  // Another name could resolve to this address, and the page of another site would then be a page of this server.
  app.use(({ req, text }, next) => (new URL(req.url).hostname === '127.0.0.1' ? next() : text('wrong host', 403)));
  app.all('/v1/*', ({ req }) => ingress.fetch(req.raw));
  app.use(secureHeaders({ contentSecurityPolicy: POLICY }));
  app.post('/sign-in', bodyLimit({ maxSize: 1000 }), async ({ req, text }) => {
    if (code === undefined || (await req.text()) !== code) return text('the link was used', 403);
    code = undefined;
    return text(token);
  });
  const script = await bundlePage();
  app.get('/app.js', ({ body }) => body(script, 200, { 'content-type': 'text/javascript; charset=utf-8' }));
  app.get('*', serveStatic({ root: PAGE }));
  const answer = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  const server = createServer((request, response) => void answer(request, response));
  const accept = acceptUpgrade(ingress);
  server.on('upgrade', (request, socket, head) => accept(request, socket, head) || socket.destroy());
  await once(server.listen(Number(port), '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${server.address().port}`;
  return {
    /** Returns a link that signs in one browser, once. A browser never sends the part after `#`. */
    newLink: (base = url) => `${base}/#${(code = crypto.randomUUID())}`,
    url,
    async close() {
      await agents.close();
      await ingress.drain();
      server.close().closeAllConnections();
      await log.close();
    },
  };
}

async function bundlePage() {
  const options = { bundle: true, minify: true, format: 'esm', jsx: 'automatic', target: 'es2022', write: false };
  const define = { 'process.env.NODE_ENV': '"production"' };
  const { outputFiles } = await build({ ...options, define, entryPoints: [join(PAGE, 'app.jsx')] });
  return outputFiles[0].text;
}
