import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { createAccounts, createMemoryEventLog, listen } from '@proto/ingress';

/** The cost of one idle event stream for its server. */
export interface Idle {
  readonly heapBytes: number;
  readonly residentBytes: number;
}

const TOKEN = 'driver-token-0123456789';
// Compile the code and fill the pools first, because their memory does not belong to a stream.
const WARM_UP = 2000;

/** Opens idle event streams from another process. Arguments: `bare http | ours`, and how many. Needs `--expose-gc`. */
export async function run([which = '', count = '']: readonly string[]): Promise<Idle> {
  const { port, path } = await (which === 'ours' ? ingress(Math.max(WARM_UP, Number(count))) : bareHttp());
  const clients = async (streams: number) => {
    const script = fileURLToPath(new URL('run-case.mjs', import.meta.url));
    const child = fork(script, ['idle-clients', String(port), path, TOKEN, String(streams)], { execArgv: [] });
    await once(child, 'message');
    return async () => {
      child.kill();
      await once(child, 'exit');
    };
  };
  const leave = await clients(WARM_UP);
  await leave();
  const before = await settled();
  const leaveAll = await clients(Number(count));
  const after = await settled();
  await leaveAll();
  process.nextTick(() => process.exit());
  return {
    heapBytes: (after.heapUsed + after.external - before.heapUsed - before.external) / Number(count),
    residentBytes: (after.rss - before.rss) / Number(count),
  };
}

/** The minimal server: it writes a head and a first event, and keeps the response for later events. */
async function bareHttp() {
  const responses = new Set<ServerResponse>();
  const server = createServer((_, response) => {
    response.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    });
    response.flushHeaders();
    response.write('id: 0\nevent: resume\ndata: {"verdict":"ok"}\n\n');
    responses.add(response);
    response.on('close', () => responses.delete(response));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // The path is as long as the path of a session, because a request keeps its path in memory.
  return {
    port: (server.address() as AddressInfo).port,
    path: `/v1/code/sessions/cse_${'0'.repeat(32)}/events/stream`,
  };
}

async function ingress(maxStreams: number) {
  const accounts = await createAccounts([{ name: 'driver', role: 'driver', token: TOKEN }]);
  const { url } = await listen({ log: createMemoryEventLog(), accounts, limits: { maxStreams } });
  const headers = { authorization: `Bearer ${TOKEN}` };
  const answer = await fetch(`${url}/v1/code/sessions`, { method: 'POST', headers, body: '{}' });
  const { session } = (await answer.json()) as { session: { id: string } };
  return { port: Number(new URL(url).port), path: `/v1/code/sessions/${session.id}/events/stream` };
}

async function settled() {
  const { gc } = globalThis as { gc?: () => void };
  if (gc === undefined) throw new Error('run with --expose-gc');
  for (let turn = 0; turn < 6; turn++) {
    gc();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return process.memoryUsage();
}
