import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo, Server, Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createForwardRequest } from './forward-request.ts';

test('a connection to another node is used again, and is ended by this side before the other node could', async () => {
  const other = createServer({ keepAliveTimeout: 60_000 }, (_, answer) => answer.end('hello'));
  const sockets: Socket[] = [];
  other.on('connection', (socket) => sockets.push(socket));
  const url = await addressOf(other);
  const { forward, close } = createForwardRequest(50);
  onTestFinished(close);
  const to = {
    url,
    header: ['x-test', 'yes'] as const,
    answerMs: 10_000,
    silenceMs: 10_000,
    opened: () => () => {},
    failed: () => {},
  };
  const node = createServer((incoming, outgoing) => void forward(incoming, outgoing, to));
  const here = await addressOf(node);
  for (let n = 0; n < 3; n++) expect(await textOf(here)).toBe('hello');
  expect(sockets).toHaveLength(1);
  // The other side would have waited for a minute.
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
