import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

// Operating systems assign higher ports to connections, and to servers that listen on port 0 (Linux from 32768, others from 49152). Such a port could be
// taken between this answer and its use.
// `fetch` refuses some lower ports, 10 080 the last of them.
const LOWEST = 10_100;
const HIGHEST = 32_767;
const MOST_TRIES = 100;

/** Returns a port of this machine on which no server listens, and which the system does not assign by itself. */
export async function freePort(): Promise<number> {
  for (let n = 0; n < MOST_TRIES; n++) {
    const port = randomInt(LOWEST, HIGHEST + 1);
    if (await isFree(port)) return port;
  }
  throw new Error(`none of ${MOST_TRIES} ports between ${LOWEST} and ${HIGHEST} is free`);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}
