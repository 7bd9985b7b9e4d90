// A server of sessions with the reference agent, and a proxy in front of it that can cut links.
import { fileURLToPath } from 'node:url';
import { addInternalAccount, createAccounts, createMemoryEventLog, listen } from '@proto/ingress';
import { openSession, sessionUrl } from '@proto/remote';
import { startFaultProxy } from '@proto/testkit';
import { createLocalAgents } from '@proto/remote/worker';

const agent = fileURLToPath(new URL('dist/agent.js', import.meta.resolve('@proto/cli/package.json')));

/** Starts the server with one session. `options` are further options of `listen`. */
export async function startServer(options = {}) {
  const tokens = { driver: crypto.randomUUID(), viewer: crypto.randomUUID() };
  const entries = ['driver', 'viewer'].map((role) => ({ name: role, role, token: tokens[role] }));
  const accounts = await addInternalAccount(await createAccounts(entries));
  const agents = createLocalAgents({
    program: { agent: [agent], cwd: process.cwd(), env: process.env },
    url: (session) => sessionUrl(server.url, session),
    token: accounts.internalToken,
    fetch: (request) => server.fetch(request),
    onStderr: (text) => void process.stderr.write(text),
  });
  const log = createMemoryEventLog();
  const server = await listen({ log, accounts, agents, ...options });
  const proxy = await startFaultProxy(server.url);
  const { id, url } = await openSession({ base: server.url, session: 'new', token: tokens.driver });
  const post = (path, body) => {
    const headers = { authorization: `Bearer ${tokens.driver}`, 'content-type': 'application/json' };
    return fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  };
  return {
    tokens,
    /** The address of the session, through the proxy. */
    session: sessionUrl(proxy.url, id),
    cut: () => proxy.cut('rst'),
    /** Sends a prompt to the agent. */
    async prompt(text) {
      const message = { type: 'user', uuid: crypto.randomUUID(), message: { role: 'user', content: text } };
      const response = await post('/events', { events: [{ payload: message }] });
      if (!response.ok) throw new Error(`the prompt was refused: ${response.status}`);
    },
    archive: () => post('/archive', {}),
    async close() {
      await agents.close();
      await proxy.close();
      await server.close();
      await log.close();
    },
  };
}
