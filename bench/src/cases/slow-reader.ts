import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { createWebSocketStream, WebSocket } from 'ws';

/**
 * Reads to the end at a rate in megabytes per second. The source is `stdin`, the port of a WebSocket server, or `posts`. With `posts`, the case
 * starts a server, sends the port to its parent, and reads the POSTs to that server.
 */
export async function run([megabytesPerSecond = '', source = 'stdin']: readonly string[]): Promise<void> {
  const read = atRate(Number(megabytesPerSecond) * 1e6);
  if (source === 'stdin') return read(process.stdin);
  if (source !== 'posts') return read(createWebSocketStream(new WebSocket(`ws://127.0.0.1:${source}`)));
  const server = createServer((request, response) => {
    if (request.method === 'GET') {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': hello\n\n');
      return;
    }
    void read(request).then(() => response.setHeader('content-type', 'application/json').end('{}'));
  });
  process.on('disconnect', () => process.exit());
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
}

/** Returns a function that reads a stream to the end. All streams together are read at the rate, in bytes per second. */
function atRate(rate: number): (chunks: AsyncIterable<Buffer>) => Promise<void> {
  let start: number | undefined;
  let bytes = 0;
  return async (chunks) => {
    start ??= performance.now();
    for await (const chunk of chunks) {
      bytes += chunk.length;
      const earlyMs = (bytes / rate) * 1000 - (performance.now() - start);
      if (earlyMs > 2) await wait(earlyMs);
    }
  };
}
