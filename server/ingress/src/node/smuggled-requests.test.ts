/** Tests that a node sends exactly those requests to another node that it has checked, whatever a client writes. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { TOKENS, user } from '../ingress.test-support.ts';
import { base, startNodes, type TestNode } from '../cluster/nodes.test-support.ts';

/** Writes text to a node, and returns everything that comes back until the node ends the connection, or until `enough`. */
async function write(
  node: Pick<TestNode, 'url'>,
  text: string,
  enough = /^HTTP\/1\.1 [^1][\s\S]*\r\n\r\n/,
): Promise<string> {
  const socket = connect(Number(new URL(node.url).port), '127.0.0.1');
  socket.on('error', () => {}).write(text);
  let answered = '';
  for await (const chunk of socket) {
    answered += String(chunk);
    if (enough.test(answered)) break;
  }
  return answered;
}

/** The text of a request with the token of a viewer. */
function requestOf(line: string, headers: readonly string[], body = ''): string {
  const lines = [`${line} HTTP/1.1`, 'Host: 127.0.0.1', `Authorization: Bearer ${TOKENS.viewer}`, ...headers];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}

/** Two nodes, a session of the second, and a session that an attacker wants to have archived. */
async function twoNodes() {
  const { nodes, store } = await startNodes(2);
  const [a, b] = nodes as [TestNode, TestNode];
  const [id, target] = [await b.newSession(), await b.newSession()];
  const stateOf = async () => ((await b.call(base(target))).body['session'] as { status?: string }).status;
  return { a, b, id, target, store, stateOf };
}

const TAKING = [
  ['a length', (length: number) => ['Connection: keep-alive, content-length', `Content-Length: ${length}`]],
  ['a length in capitals', (length: number) => ['Connection: CONTENT-LENGTH', `Content-Length: ${length}`]],
  ['chunks', () => ['Connection: transfer-encoding', 'Transfer-Encoding: chunked']],
  ['nothing', (length: number) => ['Connection: keep-alive', `Content-Length: ${length}`]],
] as const;

test.each(TAKING)(
  'a viewer cannot put a request before that of a driver: `Connection` takes away %s',
  async (_, headersOf) => {
    const { a, b, id, target, stateOf } = await twoNodes();
    const before = await stateOf();
    const hidden = `POST ${base(target)}/archive HTTP/1.1\r\nX-Ignored: `;
    const headers = headersOf(hidden.length);
    const body = headers.includes('Transfer-Encoding: chunked')
      ? `${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`
      : hidden;
    expect(await write(a, requestOf(`GET ${base(id)}/events`, headers, body))).toMatch(/^HTTP\/1\.1 400 /);
    for (let n = 0; n < 3; n++) expect((await a.post(id, [user(`prompt ${n}`)])).status).toBe(200);
    expect(await stateOf()).toBe(before);
    expect((await b.post(target, [user('still open')])).status).toBe(200);
  },
);

/** A node whose sessions are at a listener that keeps every byte and answers as it is asked to. */
async function rawOwner(respond: (socket: Socket, received: string) => void) {
  const connections: { readonly socket: Socket; received: string }[] = [];
  const listener = createServer((socket) => {
    const connection = { socket, received: '' };
    connections.push(connection);
    socket.on('error', () => {}).on('data', (chunk) => respond(socket, (connection.received += String(chunk))));
  });
  await once(listener.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    for (const { socket } of connections) socket.destroy();
    listener.close();
  });
  const clusterUrl = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
  const { nodes } = await startNodes(2, (index) => (index === 1 ? { clusterUrl } : {}));
  const [a, owner] = nodes as [TestNode, TestNode];
  return { a, id: await owner.newSession(), connections };
}

const OK = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}';

test.each([
  ['host', 400],
  ['authorization', 400],
  ['Origin', 400],
  ['content-type', 400],
  ['X-SJP-Forwarded-By', 400],
  ['keep-alive, Trailer', 400],
  ['te', 200],
  ['keep-alive, x-other', 200],
])('of the headers that `Connection` may name, %s gets status %d', async (name, status) => {
  const { a, id, connections } = await rawOwner((socket) => socket.write(OK));
  const answered = await write(
    a,
    requestOf(`GET ${base(id)}/events`, [`Connection: ${name}`, 'X-Other: 1', 'TE: trailers']),
  );
  expect(answered).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  expect(connections).toHaveLength(status === 200 ? 1 : 0);
  if (status !== 200) return;
  const received = connections[0]?.received ?? '';
  expect(received).toContain('Authorization: Bearer');
  expect(received).not.toMatch(/^te:/im);
  expect(/^x-other:/im.test(received)).toBe(!name.includes('x-other'));
});

test('a node writes the framing of its requests itself: the length as a number, chunks anew, and no trailer', async () => {
  const { a, id, connections } = await rawOwner((socket, received) => {
    if (/\r\n\r\n(?:[\s\S]{9}|[\s\S]*0\r\n\r\n)$/.test(received)) socket.write(OK);
  });
  const post = `POST ${base(id)}/events`;
  await write(a, requestOf(post, ['Content-Length: 0009'], '{"x": []}'));
  await write(
    a,
    requestOf(
      post,
      ['Transfer-Encoding:  Chunked', 'Trailer: x-t'],
      '4;x=y\r\n{"x"\r\n5\r\n: []}\r\n0\r\nX-T: 1\r\n\r\n',
    ),
  );
  const [first = '', second = ''] = (connections[0]?.received ?? '').split(/(?=POST )/);
  expect(first).toMatch(/\r\nContent-Length: 9\r\n/);
  expect(first).not.toContain('0009');
  expect(second).toMatch(/\r\nTransfer-Encoding: chunked\r\n/);
  expect(second).not.toMatch(/trailer|x-t|;x=y/i);
});

test('a connection on which the other node has answered before the end of a body is not used again', async () => {
  const early = 'HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n';
  const { a, id, connections } = await rawOwner((socket, received) => {
    socket.write(received.includes('[[[[[') ? early : OK);
  });
  const cut = requestOf(`POST ${base(id)}/events`, ['Content-Length: 100'], '[[[[[');
  expect(await write(a, cut)).toMatch(/^HTTP\/1\.1 413 /);
  expect((await a.call(base(id))).status).toBe(200);
  expect(connections).toHaveLength(2);
  expect(connections[0]?.received).not.toContain('GET ');
});

test('a connection on which the other node says something unasked is not used again, and leaves no exchange open', async () => {
  const { a, id, connections } = await rawOwner((socket) => socket.write(OK + OK.replace('{}', '[]')));
  for (let n = 0; n < 3; n++) expect((await a.call(base(id))).body).toEqual({});
  for (const { received } of connections) expect(received.match(/GET /g)).toHaveLength(1);
  // Waits for every exchange.
  await a.server.close();
});

test.each([
  ['a body', ['Upgrade: websocket', 'Content-Length: 5']],
  ['another protocol', ['Upgrade: h2c']],
])('an upgrade with %s is not forwarded', async (_, headers) => {
  const { a, id, connections } = await rawOwner((socket) => socket.write(OK));
  const upgrade = requestOf(`GET /v1/sessions/ws/${id}/subscribe`, ['Connection: Upgrade', ...headers], '12345');
  expect(await write(a, upgrade)).toMatch(/^HTTP\/1\.1 400 /);
  expect(connections).toHaveLength(0);
});
