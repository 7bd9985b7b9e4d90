import { once } from 'node:events';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';

/** Serves the open questions over HTTP, on this machine only: GET lists them, POST /ID answers one. */
export async function serveApprovals() {
  const open = new Map();
  let changed = withResolvers();

  async function answer(request, response) {
    if (request.method === 'GET')
      return response.end(JSON.stringify([...open.values()].map(({ question }) => question)));
    const id = decodeURIComponent(request.url.slice(1));
    const settle = open.get(id)?.settle;
    const decision = await json(request);
    open.delete(id);
    // False if the agent has withdrawn the question in the meantime.
    response.writeHead(settle?.(decision) ? 204 : 404).end();
  }
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.writeHead(400).end());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    url: `http://127.0.0.1:${server.address().port}`,
    show(question, settle) {
      open.set(question.id, { question, settle });
      changed.resolve();
      changed = withResolvers();
    },
    hide: (id) => open.delete(id),
    /** Waits for an open question, and returns all of them. */
    async shown() {
      if (open.size === 0) await changed.promise;
      return (await fetch(this.url)).json();
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function withResolvers() {
  let resolve;
  const promise = new Promise((fulfil) => (resolve = fulfil));
  return { promise, resolve };
}
