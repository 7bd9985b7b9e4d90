import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type SsePeerName, ssePeers } from '../sse/sse-peers.ts';

/** Answers POST requests with one of the peers. Reports the port to its parent. */
export async function run([name]: readonly string[]): Promise<void> {
  const { serve } = await ssePeers[name as SsePeerName]();
  const server = createServer(serve()).listen(0, '127.0.0.1');
  process.on('disconnect', () => process.exit());
  await once(server, 'listening');
  process.send?.((server.address() as AddressInfo).port);
}
