import { once } from 'node:events';
import { createServer, get, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Server, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { closeWithConnection } from '../node/close-with-connection.ts';
import { createForwardRequest } from './forward-request.ts';

/** Where requests of these tests go on to. */
const targetOf = (url: string) => ({
  url,
  header: ['x-test', 'yes'] as const,
  answerMs: 10_000,
  silenceMs: 10_000,
  opened: () => () => {},
  failed: () => {},
});

test('a request whose client has left during the search for the node is over at once', async () => {
  const { forward, close } = createForwardRequest();
  onTestFinished(close);
  const other = await addressOf(createServer((_, answer) => answer.end('hello')));
  const passed = new Promise((resolve) => {
    const node = createServer((incoming, outgoing) => {
      outgoing.once('close', () => resolve(forward(incoming, outgoing, targetOf(other))));
    });
    void addressOf(node).then((url) => {
      const asked = request(url, { method: 'POST', headers: { 'content-length': 9 } }).on('error', () => {});
      asked.write('half', () => asked.destroy());
    });
  });
  expect(await passed).toBeUndefined();
});

test('requests that a client has written one after the other are over when it leaves before the first is answered', async () => {
  const { forward, close } = createForwardRequest();
  onTestFinished(close);
  const held: ServerResponse[] = [];
  // Only the second request is answered.
  const other = await addressOf(
    createServer(({ url }, answer) => (url === '/2' ? answer.end('hello') : held.push(answer))),
  );
  const passed: Promise<unknown>[] = [];
  const clients: Socket[] = [];
  const node = createServer((incoming, outgoing) => {
    closeWithConnection(outgoing);
    passed.push(forward(incoming, outgoing, { ...targetOf(other), opened: () => () => {} }));
    if (incoming.url === '/2') outgoing.once('pipe', () => clients[0]?.destroy());
  });
  const { port } = new URL(await addressOf(node));
  const socket = connect(Number(port), '127.0.0.1');
  clients.push(socket);
  socket.write('GET /1 HTTP/1.1\r\nHost: h\r\n\r\nGET /2 HTTP/1.1\r\nHost: h\r\n\r\n');
  await once(socket, 'close');
  expect(await Promise.all(passed)).toEqual([undefined, 200]);
});

test('a connection to another node is used again, and is ended by this side before the other node could', async () => {
  const other = createServer({ keepAliveTimeout: 60_000 }, (_, answer) => answer.end('hello'));
  const sockets: Socket[] = [];
  other.on('connection', (socket) => sockets.push(socket));
  const url = await addressOf(other);
  const { forward, close } = createForwardRequest(50);
  onTestFinished(close);
  const node = createServer((incoming, outgoing) => void forward(incoming, outgoing, targetOf(url)));
  const here = await addressOf(node);
  for (let n = 0; n < 3; n++) expect(await textOf(here)).toBe('hello');
  expect(sockets).toHaveLength(1);
  // Without this end, the connection would stay open for a minute.
  await once(sockets[0] as Socket, 'end');
});

async function addressOf(server: Server & { closeAllConnections(): void }): Promise<string> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function textOf(url: string): Promise<string> {
  const [answer] = (await once(get(url), 'response')) as [IncomingMessage];
  return (await answer.setEncoding('utf8').toArray()).join('');
}
