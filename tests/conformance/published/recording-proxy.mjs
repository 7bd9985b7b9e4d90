import { once } from 'node:events';
import { createServer, request as requestHttp } from 'node:http';
import { WebSocket, WebSocketServer } from 'ws';

/**
 * A request of a client. `began` and `ended` are milliseconds of `performance.now()`, `body` is the parsed JSON. `answer` writes to the client.
 * @typedef {{ method: string, path: string, headers: import('node:http').IncomingHttpHeaders, body: any, began: number, ended: number, answer: import('node:http').ServerResponse }} Exchange
 */

/**
 * Starts a proxy between a published client and a server. It records what the client sends, refuses requests, adds to streams, and cuts streams.
 * @param {string} target the address of the server
 */
export async function startRecordingProxy(target) {
  /** @type {Exchange[]} */
  const exchanges = [];
  /** @type {{ matches: (exchange: Exchange) => boolean, status: number, headers: Record<string, string> }[]} */
  const refusals = [];
  /** @type {string[]} */
  const frames = [];
  const server = createServer((request, answer) => void pass(request, answer).catch(() => answer.destroy()));

  /** @type {(request: import('node:http').IncomingMessage, answer: import('node:http').ServerResponse) => Promise<void>} */
  async function pass(request, answer) {
    const began = performance.now();
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    const { method = '', url: path = '', headers } = request;
    const body = text === '' ? undefined : JSON.parse(text);
    const exchange = { method, path, headers, body, began, ended: Infinity, answer };
    exchanges.push(exchange);
    answer.once('close', () => (exchange.ended = performance.now()));
    const refusal = refusals.find(({ matches }) => matches(exchange));
    if (refusal !== undefined) {
      refusals.splice(refusals.indexOf(refusal), 1);
      answer.writeHead(refusal.status, { 'content-type': 'application/json', ...refusal.headers });
      return void answer.end('{"type":"error","error":{"type":"x_refused","message":"refused on the way"}}');
    }
    const onward = requestHttp(target + path, { method, headers }, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers).flushHeaders();
      response.pipe(answer);
    });
    onward.on('error', () => answer.destroy());
    answer.once('close', () => onward.destroy());
    onward.end(text);
  }

  const sockets = new WebSocketServer({ noServer: true });
  server.on('upgrade', (request, socket, head) => {
    sockets.handleUpgrade(request, socket, head, (client) => {
      const onward = new WebSocket(target.replace('http', 'ws') + request.url);
      const opened = once(onward, 'open');
      client.on('message', (data) => {
        const text = textOf(data);
        frames.push(text);
        void opened.then(() => onward.send(text));
      });
      onward.on('message', (data) => client.send(textOf(data)));
      client.on('close', () => onward.terminate());
      onward.on('error', () => client.terminate());
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = /** @type {import('node:net').AddressInfo} */ (server.address());
  const isOpen = (/** @type {Exchange} */ { path, ended }) => path.includes('/stream') && ended === Infinity;
  return {
    url: `http://127.0.0.1:${address.port}`,
    exchanges,
    /** The frames that the clients of WebSockets have sent. */
    frames,
    /** Refuses the next request that matches. */
    refuse: (
      /** @type {(exchange: Exchange) => boolean} */ matches,
      /** @type {number} */ status,
      /** @type {Record<string, string>} */ headers = {},
    ) => void refusals.push({ matches, status, headers }),
    /** Writes to each open event stream. */
    inject: (/** @type {string} */ text) => exchanges.filter(isOpen).forEach(({ answer }) => answer.write(text)),
    /** Sends frames to each open WebSocket. */
    send: (/** @type {string[]} */ ...texts) =>
      sockets.clients.forEach((client) => texts.forEach((text) => client.send(text))),
    /** Closes each open WebSocket with a code. */
    closeSockets: (/** @type {number} */ code) => sockets.clients.forEach((client) => client.close(code)),
    /** Breaks each open event stream. */
    cut: () => exchanges.filter(isOpen).forEach(({ answer }) => answer.destroy()),
    async close() {
      server.closeAllConnections();
      for (const client of sockets.clients) client.terminate();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The text of a frame. @param {import('ws').RawData} data */
function textOf(data) {
  return Buffer.from(/** @type {Buffer} */ (data)).toString();
}
