/** Runs our own agent executable as a worker that reads a WebSocket and posts, against a server that knows nothing beyond the published wire. */
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { textOf } from '@proto/agent';
import { expect, onTestFinished, test } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { startWorker } from './headless-worker.ts';
import { until } from './until.ts';

type Members = Readonly<Record<string, unknown>>;

/** A server that sends over WebSockets and takes POST requests; the first POST gets no answer after it was taken. */
async function publishedServer() {
  const posts: { readonly path: string; readonly token: unknown; readonly body: { events: Members[] } }[] = [];
  const upgrades: IncomingMessage[] = [];
  const frames: string[] = [];
  const sockets: WebSocket[] = [];
  const server = createServer((request, response) => {
    const { url: path = '', headers } = request;
    void json(request).then((body) => {
      posts.push({ path, token: headers.authorization, body: body as { events: Members[] } });
      if (posts.length === 1) request.socket.destroy();
      else response.end('{}');
    });
  });
  new WebSocketServer({ server, handleProtocols: () => false }).on('connection', (socket, request) => {
    // If the server does not choose the subprotocol, the client closes the socket, and opens another socket without the subprotocol.
    if (request.headers['sec-websocket-protocol'] !== undefined) return;
    upgrades.push(request);
    sockets.push(socket);
    socket.on('message', (data) => frames.push((data as Buffer).toString()));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.terminate();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const messages = () => new Map(posts.flatMap(({ body }) => body.events.map((event) => [event['uuid'], event])));
  return {
    posts,
    upgrades,
    frames,
    messages: () => [...messages().values()],
    url: `ws://127.0.0.1:${port}/v1/session_ingress/ws/session_1?x=1`,
    say: (message: object) => sockets.at(-1)?.send(`${JSON.stringify(message)}\n`),
    close: (code: number) => sockets.at(-1)?.close(code),
  };
}

test.each([
  ['the variable of published workers', '', { CLAUDE_CODE_POST_FOR_SESSION_INGRESS_V2: '1' }],
  ['a hybrid+ws: address', 'hybrid+', {}],
])(
  '%s: the worker reads its socket and posts bare messages to the address that follows from it',
  async (_, prefix, env) => {
    const server = await publishedServer();
    const worker = startWorker(`${prefix}${server.url}`, 'token', {
      process: {
        argv: ['--input-format=stream-json', '--output-format=stream-json', '--verbose', '--include-partial-messages'],
        env,
      },
      async *runTurn(turn) {
        yield { type: 'stream_event', event: { type: 'message_start' }, parent_tool_use_id: null };
        const content = [{ type: 'text', text: textOf(turn.prompt) }];
        yield { type: 'assistant', message: { id: 'msg_1', role: 'assistant', content }, parent_tool_use_id: null };
      },
    });
    const results = () => server.messages().flatMap(({ type, result }) => (type === 'result' ? [result] : []));
    await until(() => server.upgrades.length > 0);
    server.say({ type: 'user', message: { role: 'user', content: 'one' }, parent_tool_use_id: null, uuid: 'p1' });
    await until(() => results().length === 1);
    // The client opens another socket after the connection is cut.
    const before = server.upgrades.length;
    server.close(1011);
    await until(() => server.upgrades.length > before);
    server.say({ type: 'user', message: { role: 'user', content: 'two' }, parent_tool_use_id: null, uuid: 'p2' });
    await until(() => results().length === 2);
    server.say({ type: 'control_request', request_id: 'e1', request: { subtype: 'end_session' } });
    expect(await worker.code).toBe(0);
    expect(results()).toEqual(['one', 'two']);
    for (const { path, token, body } of server.posts) {
      expect([path, token, Object.keys(body)]).toEqual([
        '/v1/session_ingress/session/session_1/events?x=1',
        'Bearer token',
        ['events'],
      ]);
      for (const message of body.events)
        expect(message).toMatchObject({ type: expect.any(String), uuid: expect.any(String) });
    }
    expect(server.messages().some(({ type }) => type === 'control_response')).toBe(true);
    expect([server.frames, worker.written]).toEqual([[], { stdout: '', stderr: '' }]);
  },
);
