// A server of sessions, the agents of these sessions, and the page of the phone, all under one origin.
import { addInternalAccount, createAccounts, createMemoryEventLog, listen } from '@proto/ingress';
import { openSession, sessionUrl } from '@proto/remote';
import { createLocalAgents } from '@proto/remote/worker';
import { loadPages } from './pages.mjs';
import { createPairing } from './pairing.mjs';

const MAX_CODE_LENGTH = 200;

/**
 * Starts the server. `agent` is the command of the agent and `cwd` its folder. `publicUrl` is the address for the phone, if there is a proxy or a
 * tunnel in front of the server; the server accepts only the names in `allowedHosts`.
 */
export async function startApprovals({ agent, cwd, port = 0, publicUrl, allowedHosts, onStderr = () => {} }) {
  // The phone can read sessions and answer questions, but cannot send prompts: see the roles in docs/ingress.md.
  const token = crypto.randomUUID() + crypto.randomUUID();
  const accounts = await addInternalAccount(await createAccounts([{ name: 'phone', role: 'approver', token }]));
  const pairing = createPairing(token);
  const pageOf = await loadPages();

  /** Answers requests for addresses that are not endpoints of the ingress. The ingress has checked the host and the origin before. */
  async function fallback(request) {
    const { pathname } = new URL(request.url);
    if (pathname === '/pair' && request.method === 'POST') return pair(await request.text());
    const page = request.method === 'GET' ? pageOf(pathname) : undefined;
    return page ?? Response.json({ error: 'not found' }, { status: 404 });
  }
  function pair(body) {
    const given = body.length > MAX_CODE_LENGTH ? undefined : pairing.redeem(codeIn(body));
    if (given === undefined) return Response.json({ error: 'the code was used, or is too old' }, { status: 403 });
    return Response.json({ token: given }, { headers: { 'cache-control': 'no-store' } });
  }

  const log = createMemoryEventLog();
  const agents = createLocalAgents({
    program: { agent, cwd, env: process.env },
    url: (session) => sessionUrl(server.url, session),
    token: accounts.internalToken,
    fetch: (request) => server.fetch(request),
    onStderr,
  });
  const hosts = allowedHosts && { allowedHosts: [...allowedHosts, '127.0.0.1', 'localhost'] };
  const server = await listen({ log, accounts, agents, port, publicUrl, fallback, ...hosts });
  const headers = { authorization: `Bearer ${accounts.internalToken}`, 'content-type': 'application/json' };

  return {
    url: server.url,
    /** A link that signs one phone in. The part after `#` never reaches a server or a log. */
    newLink: (base = publicUrl ?? server.url) => `${base}/#pair=${pairing.newCode()}`,
    /** Creates a session, and sends a prompt to its agent. Returns the id of the session. */
    async prompt(text) {
      const { id, url } = await openSession({
        base: server.url,
        session: 'new',
        title: text,
        token: accounts.internalToken,
      });
      const payload = { type: 'user', uuid: crypto.randomUUID(), message: { role: 'user', content: text } };
      const body = JSON.stringify({ events: [{ payload }] });
      const response = await fetch(`${url}/events`, { method: 'POST', headers, body });
      if (!response.ok) throw new Error(`the prompt was refused: ${response.status} ${await response.text()}`);
      return id;
    },
    async close() {
      await agents.close();
      await server.close();
      await log.close();
    },
  };
}

function codeIn(body) {
  try {
    return JSON.parse(body)?.code;
  } catch {
    return undefined;
  }
}
