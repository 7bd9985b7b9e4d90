/** Runs the recipes for proxies in deploy/, where the programs are installed: streams are not buffered, WebSockets are upgraded, large messages pass. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { freePort } from '@proto/test-support';
import { createAccounts, createMemoryEventLog, listen } from '@proto/ingress';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';

const TOKEN = 'driver-token-0123456789';
const folder = mkdtempSync(join(tmpdir(), 'proxies-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const recipe = (name: string) => readFileSync(new URL(`../../deploy/${name}`, import.meta.url), 'utf8');
const has = (program: string, flag: string) => spawnSync(program, [flag]).error === undefined;

/** A certificate for this machine. */
function certificate(): { readonly certificate: string; readonly key: string } {
  const [made, key] = [join(folder, 'certificate.pem'), join(folder, 'certificate.key')];
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const how = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  execFileSync('openssl', ['req', '-x509', ...how, ...subject, '-keyout', key, '-out', made], { stdio: 'ignore' });
  return { certificate: made, key };
}

/** How a proxy is started with its recipe, at a port, in front of a server. */
const proxies = {
  nginx(port: number, server: number) {
    const { certificate: made, key } = certificate();
    const site = recipe('nginx.conf')
      .replace('127.0.0.1:4983', `127.0.0.1:${server}`)
      .replace('listen 443', `listen 127.0.0.1:${port}`)
      .replace('/etc/ssl/sessions.example.pem', made)
      .replace('/etc/ssl/sessions.example.key', key);
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${folder}/${name};`,
    );
    const file = join(folder, 'nginx.conf');
    const settings = `daemon off; master_process off; pid ${folder}/nginx.pid; error_log stderr;`;
    writeFileSync(file, `${settings} events {} http { access_log off; ${temporary.join(' ')} ${site} }`);
    return spawn('nginx', ['-c', file, '-p', folder], { stdio: ['ignore', 'ignore', 'pipe'] });
  },
  caddy(port: number, server: number) {
    const { certificate: made, key } = certificate();
    const site = recipe('Caddyfile')
      .replace('127.0.0.1:4983', `127.0.0.1:${server}`)
      .replace('sessions.example {', `https://127.0.0.1:${port} {\n\ttls ${made} ${key}`);
    const file = join(folder, 'Caddyfile');
    writeFileSync(file, `{\n\tadmin off\n\tauto_https disable_redirects\n}\n${site}`);
    const home = join(folder, 'caddy');
    mkdirSync(home, { recursive: true });
    const env = { ...process.env, HOME: home, XDG_DATA_HOME: home, XDG_CONFIG_HOME: home };
    return spawn('caddy', ['run', '--adapter', 'caddyfile', '--config', file], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env,
    });
  },
};

async function start(name: keyof typeof proxies) {
  const accounts = await createAccounts([{ name: 'driver', role: 'driver', token: TOKEN }]);
  const metrics = {
    token: 'collector-token-0123456789',
    read: async () => ({ contentType: 'text/plain', text: 'figures' }),
  };
  const server = await listen({ log: createMemoryEventLog(), accounts, metrics, limits: { keepaliveMs: 200 } });
  onTestFinished(() => server.close());
  const port = await freePort();
  const proxy = proxies[name](port, Number(new URL(server.url).port));
  let said = '';
  proxy.stderr.setEncoding('utf8').on('data', (more: string) => (said += more));
  onTestFinished(async () => {
    const ended = once(proxy, 'exit');
    proxy.kill('SIGTERM');
    await ended;
  });
  const ask = (
    path: string,
    { method = 'GET', body, token = TOKEN }: { method?: string; body?: string; token?: string } = {},
  ) =>
    new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
      const headers = { authorization: `Bearer ${token}` };
      const sent = request({ host: '127.0.0.1', port, path, method, headers, rejectUnauthorized: false }, resolve);
      sent.on('error', reject).end(body);
    });
  await expect
    .poll(
      async () =>
        (await ask('/healthz').catch((error: Error) => ({ statusCode: `${error.message}\n${said}` }))).statusCode,
      { timeout: 15_000 },
    )
    .toBe(200);
  const { session } = JSON.parse(await text(await ask('/v1/code/sessions', { method: 'POST', body: '{}' }))) as {
    session: { id: string };
  };
  const base = `/v1/code/sessions/${session.id}`;
  const say = async (content: string) => {
    const body = JSON.stringify({ events: [{ payload: { type: 'user', uuid: crypto.randomUUID(), content } }] });
    return (await ask(`${base}/events`, { method: 'POST', body })).statusCode;
  };
  return { ask, base, id: session.id, port, say };
}

describe.each(['nginx', 'caddy'] as const)('the recipe of %s', (name) => {
  test.skipIf(!has(name, name === 'nginx' ? '-v' : 'version') || !has('openssl', 'version'))(
    'passes event streams on at once, upgrades WebSockets, and takes messages of 30 MiB',
    { timeout: 60_000 },
    async () => {
      const { ask, base, id, port, say } = await start(name);
      const stream = await ask(`${base}/events/stream`);
      expect(stream.headers['content-type']).toBe('text/event-stream');
      let seen = '';
      stream.setEncoding('utf8').on('data', (more: string) => (seen += more));
      // Each event arrives while the stream is open, and before the next event is sent.
      for (const word of ['first', 'second', 'third']) {
        expect(await say(word)).toBe(200);
        await expect.poll(() => seen, { timeout: 2000 }).toContain(word);
      }
      // Keep-alives must arrive too.
      const before = seen.length;
      await expect.poll(() => seen.slice(before), { timeout: 2000 }).toContain(': keepalive');

      const headers = { authorization: `Bearer ${TOKEN}` };
      const socket = new WebSocket(`wss://127.0.0.1:${port}/v1/sessions/ws/${id}/subscribe`, {
        headers,
        rejectUnauthorized: false,
      });
      const frames: string[] = [];
      socket.on('message', (data: Buffer) => frames.push(String(data)));
      await expect.poll(() => frames.join(''), { timeout: 5000 }).toContain('third');
      socket.send(`${JSON.stringify({ type: 'user', uuid: crypto.randomUUID(), content: 'over the socket' })}\n`);
      await expect.poll(() => seen, { timeout: 5000 }).toContain('over the socket');
      socket.close();

      expect(await say('x'.repeat(30 * 1024 * 1024))).toBe(200);
      expect((await ask('/metrics', { token: 'collector-token-0123456789' })).statusCode).toBe(404);
      stream.destroy();
    },
  );
});
