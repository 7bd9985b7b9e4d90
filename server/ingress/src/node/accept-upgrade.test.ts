/** WebSockets of an ingress on a server of the application. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { expect, test, vi } from 'vitest';
import { WebSocketServer } from 'ws';
import { createAccounts } from '../auth/accounts.ts';
import { TOKENS, user } from '../ingress.test-support.ts';
import { createIngress } from '../ingress.ts';
import { createMemoryEventLog } from '../log/memory-event-log.ts';
import { follow } from '../socket/socket.test-support.ts';
import { acceptUpgrade } from './accept-upgrade.ts';

test('session sockets are accepted, and other upgrades are left to the application', async () => {
  const accounts = await createAccounts([{ name: 'driver', role: 'driver', token: TOKENS.driver }]);
  const ingress = createIngress({ log: createMemoryEventLog(), accounts });
  const listener = getRequestListener((request) => ingress.fetch(request));
  const server = createServer((request, response) => void listener(request, response));
  const upgrade = acceptUpgrade(ingress, { maxFrameBytes: 1000 });
  const echoes = new WebSocketServer({ noServer: true });
  let connection: unknown;
  server.on('upgrade', (request, socket, head) => {
    connection = socket;
    if (upgrade(request, socket, head)) return;
    echoes.handleUpgrade(request, socket, head, (echo) => echo.send('"not of a session"'));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;

  const headers = { authorization: `Bearer ${TOKENS.driver}` };
  const made = await fetch(`http://${host}/v1/code/sessions`, { method: 'POST', headers, body: '{}' });
  const { session } = (await made.json()) as { session: { id: string } };
  const viewer = follow(`ws://${host}/v1/sessions/ws/${session.id}/subscribe`, { token: TOKENS.driver });
  await viewer.opened;
  viewer.say(user('small'));
  expect(await viewer.take(1)).toMatchObject([{ uuid: 'uuid-small' }]);
  // Node calls _writev with all pending chunks: here three frames of two chunks each, for the events of one request.
  const writes = vi.spyOn(connection as { _writev(chunks: unknown[]): void }, '_writev');
  const events = ['a', 'b', 'c'].map((text) => ({ payload: user(text) }));
  const url = `http://${host}/v1/code/sessions/${session.id}/events`;
  await fetch(url, { method: 'POST', headers, body: JSON.stringify({ events }) });
  expect(await viewer.take(4)).toHaveLength(4);
  expect(writes.mock.calls.map(([chunks]) => chunks.length)).toContain(6);
  viewer.say(user('x'.repeat(2000)));
  expect(await viewer.closed).toBe(1009);

  const other = follow(`ws://${host}/elsewhere`);
  await other.until(() => other.frames.length === 1);
  expect(other.frames).toEqual(['"not of a session"']);
  other.socket.terminate();

  await ingress.drain();
  const late = follow(`ws://${host}/v1/sessions/ws/${session.id}/subscribe`, { token: TOKENS.driver });
  await late.closed;
  expect(late.status).toBe(503);
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});
