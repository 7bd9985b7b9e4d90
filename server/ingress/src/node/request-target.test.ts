/** Tests which host a request is for, byte by byte: the guard checks the Host header, and nothing else is used. */
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { startIngress, TOKENS } from '../ingress.test-support.ts';
import { start } from '../socket/socket-suite.test-support.ts';

async function startRaw(options: Parameters<typeof start>[0] = {}) {
  const onError = (error: unknown) => {
    throw error;
  };
  const { server, newSession } = await start({ onError, ...options });
  const { id, base } = await newSession();
  const { port } = new URL(server.url);
  const ask = async (line: string, hosts: readonly string[], headers: readonly string[] = []) => {
    const socket = connect(Number(port), '127.0.0.1');
    socket.on('error', () => {});
    const lines = [line, ...hosts.map((host) => `Host: ${host}`), `Authorization: Bearer ${TOKENS.driver}`, ...headers];
    socket.write([...lines, '', ''].join('\r\n'));
    let answer = '';
    for await (const chunk of socket) {
      answer += String(chunk);
      // An upgraded connection stays open.
      if (answer.startsWith('HTTP/1.1 101')) break;
    }
    const [, status] = /^HTTP\/1\.1 (\d+)/.exec(answer) ?? [];
    const body = /\{.*\}/s.exec(answer)?.[0];
    return { status: Number(status), body: body === undefined ? {} : (JSON.parse(body) as Record<string, unknown>) };
  };
  /** The base URL that a worker gets, or the status of a refusal. */
  const askForBase = async (target: string, hosts: readonly string[], version = '1.1') => {
    const headers = ['Content-Length: 0', 'Connection: close'];
    const { status, body } = await ask(`POST ${target}${base}/bridge HTTP/${version}`, hosts, headers);
    return status === 200 ? body['api_base_url'] : status;
  };
  return { id, port, ask, askForBase };
}

test('the request target does not decide the base URL that a worker gets', async () => {
  const { port, askForBase } = await startRaw();
  const host = `127.0.0.1:${port}`;
  const own = `http://${host}`;
  expect(await askForBase('', [host])).toBe(own);
  for (const target of ['http://evil.example', 'https://evil.example', 'http://127.0.0.1:1', `http://evil@${host}`]) {
    expect([target, await askForBase(target, [host])]).toEqual([target, own]);
  }
  expect(await askForBase('HTTPS://evil.example', [host])).toBe(own);
});

test.each<[what: string, hosts: (port: string) => readonly string[], expected: (port: string) => unknown]>([
  ['a name of this machine in capitals', (port) => [`localhost:${port}`], (port) => `http://localhost:${port}`],
  ['an address without a port', (port) => [`LocalHost:${port}`], (port) => `http://localhost:${port}`],
  ['an IPv6 address', () => ['127.0.0.1'], () => 'http://127.0.0.1'],
  ['a foreign name', (port) => [`[::1]:${port}`], (port) => `http://[::1]:${port}`],
  ['a foreign name that begins with a name of this machine', () => ['evil.example'], () => 403],
  ['a name that begins like one', () => ['localhost.evil.example'], () => 403],
  ['a dot at the end', () => ['localhost.'], () => 403],
  ['a user', () => ['evil@127.0.0.1'], () => 400],
  ['a user and a password', () => ['127.0.0.1:80@evil.example'], () => 400],
  ['an invalid port', () => ['127.1'], () => 403],
  ['a port above 65535', () => ['127.0.0.1:99999'], () => 400],
  ['a port without digits', () => ['127.0.0.1:'], () => 400],
  ['an empty value', () => ['127.0.0.1/evil'], () => 400],
  ['nothing', () => [''], () => 400],
  ['two hosts, the good one first', () => ['127.0.0.1', 'evil.example'], () => 403],
  ['two hosts, the good one last', () => ['evil.example', '127.0.0.1'], () => 403],
  ['the same host twice', () => ['127.0.0.1', '127.0.0.1'], () => 403],
  ['no header', () => [], () => 400],
])('the Host header decides the base URL that a worker gets, or the refusal: %s', async (_, hosts, expected) => {
  const { port, askForBase } = await startRaw();
  expect(await askForBase('', hosts(port))).toBe(expected(port));
  // An absolute target does not change the outcome.
  expect(await askForBase('http://127.0.0.1', hosts(port))).toBe(expected(port));
});

test('a request of HTTP/1.0 needs a Host header as well', async () => {
  const { askForBase } = await startRaw();
  expect(await askForBase('', [], '1.0')).toBe(400);
  expect(await askForBase('http://127.0.0.1', [], '1.0')).toBe(400);
  expect(await askForBase('', ['127.0.0.1'], '1.0')).toBe('http://127.0.0.1');
});

test('on a server of the application, the URL of the request does not decide the base URL either', async () => {
  const { ingress, newSession } = await startIngress();
  const { base } = await newSession();
  const headers = { authorization: `Bearer ${TOKENS.driver}`, host: '127.0.0.1:8080' };
  const request = new Request(`http://evil.example${base}/bridge`, { method: 'POST', headers });
  expect(await (await ingress.fetch(request)).json()).toMatchObject({ api_base_url: 'http://127.0.0.1:8080' });
});

test('forwarded headers of a proxy are ignored', async () => {
  const { ask, id } = await startRaw();
  const claims = [
    'X-Forwarded-Host: evil.example',
    'X-Forwarded-Proto: https',
    'Forwarded: host=evil.example;proto=https',
  ];
  const { body } = await ask(
    `POST /v1/code/sessions/${id}/bridge HTTP/1.1`,
    ['127.0.0.1'],
    [...claims, 'Content-Length: 0', 'Connection: close'],
  );
  expect(body['api_base_url']).toBe('http://127.0.0.1');
});

test('workers get the public URL when one is configured', async () => {
  const { askForBase } = await startRaw({ publicUrl: 'https://sessions.example' });
  expect(await askForBase('http://evil.example', ['127.0.0.1'])).toBe('https://sessions.example');
});

test.each<[what: string, target: string, hosts: readonly string[], version: string, status: number]>([
  ['as it should be', '', ['127.0.0.1'], '1.1', 101],
  ['for a whole address', 'http://evil.example', ['127.0.0.1'], '1.1', 101],
  ['for a whole address, of a foreign host', 'http://127.0.0.1', ['evil.example'], '1.1', 403],
  ['for an address that begins with the host', '//127.0.0.1', ['evil.example'], '1.1', 404],
  ['with two hosts', '', ['127.0.0.1', 'evil.example'], '1.1', 400],
  ['with a user in the host', '', ['evil@127.0.0.1'], '1.1', 400],
  ['without a host', '', [], '1.0', 400],
])('an upgrade %s', async (_, target, hosts, version, status) => {
  const { ask, id } = await startRaw();
  const headers = [
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    `Sec-WebSocket-Key: ${KEY}`,
  ];
  const line = `GET ${target}/v1/sessions/ws/${id}/subscribe HTTP/${version}`;
  expect((await ask(line, hosts, headers)).status).toBe(status);
});

const KEY = Buffer.alloc(16).toString('base64');
