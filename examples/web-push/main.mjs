// Runs everything on this machine: an agent that asks, a session server, the gateway, and a push service with the browser of a phone.
import assert from 'node:assert/strict';
import { createECDH, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import { createServer } from 'node:http';
import { serve } from '@hono/node-server';
import { runAgent } from '@proto/agent';
import { createHostSession } from '@proto/host';
import { createAccounts, createMemoryEventLog, listen } from '@proto/ingress';
import { createReferenceAgent } from '@proto/reference-agent';
import { openSession, openViewer } from '@proto/remote';
import { attachWorker } from '@proto/remote/worker';
import ece from 'http_ece';
import webPush from 'web-push';
import { createGateway } from './gateway.mjs';

const token = 'the-token-of-alice';

// A push service, which cannot read the messages, and a browser, which has the keys.
const keys = createECDH('prime256v1');
keys.generateKeys();
const auth = randomBytes(16);
const notifications = [];
let wake = () => {};
const receive = (encrypted) => {
  const message = ece.decrypt(encrypted, { version: 'aes128gcm', privateKey: keys, authSecret: auth });
  notifications.push(JSON.parse(message));
  wake();
};
const pushService = createServer((request, response) => {
  response.writeHead(201);
  void buffer(request).then((encrypted) => (receive(encrypted), response.end()));
}).listen(0, '127.0.0.1');
await once(pushService, 'listening');
const next = async (count) => {
  while (notifications.length < count) await new Promise((resolve) => (wake = resolve));
  return notifications[count - 1];
};

const secret = `whsec_${randomBytes(32).toString('base64')}`;
const vapid = { subject: 'mailto:me@example.org', ...webPush.generateVAPIDKeys() };
const gateway = serve({
  fetch: createGateway({ secret, vapid, subscriptions: new Map() }).fetch,
  port: 0,
  hostname: '127.0.0.1',
});
await once(gateway, 'listening');
const gatewayUrl = `http://127.0.0.1:${gateway.address().port}`;

// The page calls `registration.pushManager.subscribe` with the public key, and posts the result.
const endpoint = `http://127.0.0.1:${pushService.address().port}/alice`;
const subscription = { endpoint, keys: { p256dh: keys.getPublicKey('base64url'), auth: auth.toString('base64url') } };
await fetch(`${gatewayUrl}/subscriptions`, { method: 'POST', body: JSON.stringify(subscription) });
const forged = await fetch(`${gatewayUrl}/hook`, { method: 'POST', body: '{"type":"question.waiting"}' });
assert.equal(forged.status, 401);

const server = await listen({
  log: createMemoryEventLog(),
  accounts: await createAccounts([{ name: 'alice', role: 'driver', token }]),
  notify: { url: `${gatewayUrl}/hook`, secret, afterMs: 100, link: (session) => `https://chat.example/#${session}` },
});
const { id, url } = await openSession({ base: server.url, session: 'new', token });
const worker = attachWorker({ url, token });
const agent = createReferenceAgent({ permissionPromptTool: 'stdio' });
const ended = runAgent(worker, { ...agent, permissions: { ...agent.permissions, prompts: 'host' } });

let answer = () => {};
const host = createHostSession(openViewer({ url, prefer: 'ws', credential: token }), {
  canUseTool: () => new Promise((resolve) => (answer = resolve)),
});
await host.prompt('/bash date').accepted;

const asked = await next(1);
assert.deepEqual(asked, {
  tag: asked.tag,
  title: asked.title,
  body: 'Bash waits for your answer',
  url: `https://chat.example/#${id}`,
});
console.log(`on the phone: ${asked.body}`);
answer({ behavior: 'allow' });
assert.deepEqual(await next(2), { tag: asked.tag, isSettled: true });
console.log('the notification is withdrawn');

await host.close();
await worker.close();
await ended;
await server.close();
gateway.close();
pushService.close();
