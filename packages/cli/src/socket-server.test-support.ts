import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { type ServerOptions, WebSocketServer } from 'ws';

/** The server runs until the end of the test. */
export async function startSocketServer(options: ServerOptions = {}) {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', ...options });
  onTestFinished(() => server.close());
  await once(server, 'listening');
  return { server, url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}` };
}
