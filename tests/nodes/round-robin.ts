import { once } from 'node:events';
import { createServer, type IncomingMessage, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';

/** A proxy that does not know sessions: each request, stream and WebSocket goes to the next node. */
export interface RoundRobin extends AsyncDisposable {
  readonly url: string;
  /** The number of requests that each node has received. */
  readonly counts: ReadonlyMap<string, number>;
}

/** Starts a proxy in front of nodes. It skips nodes that cannot be reached, and answers 504 if a node does not answer in time. */
export async function startRoundRobin(nodes: readonly string[], { answerMs = 30_000 } = {}): Promise<RoundRobin> {
  const counts = new Map(nodes.map((url) => [url, 0]));
  let turn = 0;
  const next = () => {
    const url = nodes[turn++ % nodes.length] as string;
    counts.set(url, (counts.get(url) ?? 0) + 1);
    return url;
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('error', () => {});
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      const ask = (tries: number) => {
        const asked = httpRequest(next(), optionsOf(request));
        const timer = setTimeout(() => asked.destroy(Object.assign(new Error('late'), { code: 'LATE' })), answerMs);
        response.once('close', () => asked.destroy());
        asked.on('response', (answer) => {
          clearTimeout(timer);
          response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
          response.flushHeaders();
          answer.on('error', () => response.destroy()).pipe(response);
          answer.once('close', () => !answer.complete && response.destroy());
        });
        asked.on('error', (error: NodeJS.ErrnoException) => {
          clearTimeout(timer);
          if (response.headersSent || response.destroyed) return void response.destroy();
          if (error.code === 'ECONNREFUSED' && tries < nodes.length) return ask(tries + 1);
          response.writeHead(error.code === 'LATE' ? 504 : 502).end();
        });
        asked.end(body);
      };
      ask(1);
    });
  });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) =>
    upgrade(next(), request, socket, head),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    counts,
    [Symbol.asyncDispose]: () => close(server),
  };
}

function optionsOf({ method, url, rawHeaders }: IncomingMessage) {
  return { method, path: url, headers: rawHeaders, setHost: false, agent: false } as const;
}

function upgrade(node: string, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  const asked = httpRequest(node, optionsOf(request));
  socket.on('error', () => asked.destroy());
  asked.on('error', () => socket.destroy());
  asked.on('response', (answer) => {
    socket.end(`HTTP/1.1 ${answer.statusCode} ${answer.statusMessage}\r\nConnection: close\r\n\r\n`);
    answer.resume();
  });
  asked.on('upgrade', (answer, far, farHead) => {
    const lines = Array.from({ length: answer.rawHeaders.length / 2 }, (_, n) =>
      answer.rawHeaders.slice(2 * n, 2 * n + 2).join(': '),
    );
    socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('\r\n')}\r\n\r\n`);
    socket.write(farHead);
    far.write(head);
    for (const [one, other] of [
      [socket, far],
      [far, socket],
    ] as const) {
      one.on('error', () => other.destroy()).once('close', () => other.destroy());
      one.pipe(other);
    }
  });
  asked.end();
}

async function close(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}
