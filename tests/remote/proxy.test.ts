import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { verifies } from '@proto/test-support/verifies';
import { expect, onTestFinished } from 'vitest';
import { WebSocketServer } from 'ws';

const run = promisify(execFile);

/** A certificate for `far.example`, and the authority that vouches for it. */
async function certificate() {
  const folder = await mkdtemp(join(tmpdir(), 'proxy-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const at = (name: string) => join(folder, name);
  await writeFile(at('extensions'), 'subjectAltName=DNS:far.example\n');
  const openssl = (...args: string[]) => run('openssl', args, { cwd: folder });
  const newKey = ['-newkey', 'rsa:2048', '-nodes'];
  await openssl('req', '-x509', ...newKey, '-keyout', 'ca.key', '-out', 'ca.pem', '-days', '2', '-subj', '/CN=ours');
  await openssl('req', ...newKey, '-keyout', 'far.key', '-out', 'far.csr', '-subj', '/CN=far.example');
  const signing = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-extfile', 'extensions', '-days', '2'];
  await openssl('x509', '-req', '-in', 'far.csr', '-out', 'far.pem', ...signing);
  return { ca: at('ca.pem'), key: await readFile(at('far.key')), cert: await readFile(at('far.pem')) };
}

/** Starts a server that can only be reached through a proxy, and a proxy that tunnels every request to that server. */
async function behindProxy() {
  const { ca, key, cert } = await certificate();
  const posted: string[] = [];
  const server = createSecureServer({ key, cert }, (request, response) => {
    if (request.method === 'POST') {
      request.setEncoding('utf8').on('data', (text: string) => posted.push(text));
      request.on('end', () => response.setHeader('content-type', 'application/json').end('{}'));
    } else {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('id: 1\nevent: client_event\ndata: {"source":"worker","payload":{"type":"by-sse"}}\n\n');
    }
  });
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (socket) => socket.send('{"type":"by-websocket"}\n'));
  const asked: unknown[] = [];
  const proxy = createServer().on('connect', ({ url, headers }, client) => {
    asked.push([url, headers['proxy-authorization']]);
    const far = connect((server.address() as AddressInfo).port, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n');
      far.pipe(client).pipe(far);
    });
    for (const each of [far, client]) each.on('error', () => {});
  });
  for (const one of [server, proxy]) {
    one.listen(0, '127.0.0.1');
    await once(one, 'listening');
    onTestFinished(() => {
      one.closeAllConnections();
      one.close();
    });
  }
  const HTTPS_PROXY = `http://me:p%40ss@127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  return {
    asked,
    posted,
    async client(env: Readonly<Record<string, string>>) {
      const script = join(import.meta.dirname, 'proxied-client.mjs');
      const { PATH } = process.env;
      const { stdout, stderr } = await run(process.execPath, [script], {
        env: { PATH, HTTPS_PROXY, ...env },
        timeout: 20_000,
      });
      expect(stdout + stderr).not.toMatch(/p%40ss|p@ss/);
      return stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>);
    },
    ca,
  };
}

verifies(
  'LINK-19',
  'event streams, POST requests and WebSockets use the proxy and the certificates that the environment names',
  async () => {
    const { client, asked, posted, ca } = await behindProxy();
    expect(await client({ NODE_EXTRA_CA_CERTS: ca })).toEqual([
      { name: 'sse', text: '{"type":"by-sse"}' },
      { name: 'websocket', text: '{"type":"by-websocket"}' },
    ]);
    expect(posted.join('')).toContain('"type":"hello"');
    const toProxy = ['far.example:443', `Basic ${Buffer.from('me:p@ss').toString('base64')}`];
    expect(asked.length).toBeGreaterThanOrEqual(2);
    for (const one of asked) expect(one).toEqual(toProxy);
  },
  { timeout: 30_000 },
);

verifies(
  'LINK-19',
  'a server without a trusted certificate is refused, NO_PROXY bypasses the proxy, and no error shows a password',
  async () => {
    const { client, asked, ca } = await behindProxy();
    const untrusted = await client({});
    expect(untrusted).toMatchObject([{ code: 'connect-failed' }, { code: 'connect-failed' }]);
    const before = asked.length;
    expect(before).toBeGreaterThan(0);
    const direct = await client({ NODE_EXTRA_CA_CERTS: ca, NO_PROXY: '.example' });
    expect(direct).toMatchObject([{ code: 'connect-failed' }, { code: 'connect-failed' }]);
    expect(asked).toHaveLength(before);
  },
  { timeout: 30_000 },
);
