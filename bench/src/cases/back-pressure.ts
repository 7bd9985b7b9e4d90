import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Writable } from 'node:stream';
import { createSession } from '@proto/core';
import type { Transport } from '@proto/core/transport';
import { createSseTransport } from '@proto/transport-sse';
import { undiciFetch } from '@proto/transport-sse/node';
import { createStdioTransport } from '@proto/transport-stdio';
import { createWebSocketTransport, withCorking } from '@proto/transport-websocket';
import { type WebSocket, WebSocketServer } from 'ws';
import { createFixtures } from '../fixtures.ts';
import { CASE_SCRIPT } from '../fresh-process.ts';
import { startServer } from '../server-child.ts';

/** The cost of writing to a slow reader. */
export interface Pushed {
  readonly peakBytes: number;
  readonly seconds: number;
}

/** The transports whose slow reader is measured. */
export const SLOW_TRANSPORTS = ['stdio', 'WebSocket', 'POST'] as const;

const READ_MB_PER_SECOND = '100';

/** A link to a slow reader. */
interface SlowLink {
  readonly transport: () => Transport;
  /** Writes to stdin without our session, and does not wait. */
  readonly stdin?: Writable;
  /** Fulfils when the reader has ended. */
  readonly ended: Promise<unknown>;
}

/** Writes this many megabytes to a process that reads slowly over a transport: `ours | idle`, and to stdin also `forget`. */
export async function run([transport = '', way = '', megabytes = '']: readonly string[]): Promise<Pushed> {
  const { assistant1k } = createFixtures();
  const messages = Array.from({ length: 500 }, () => JSON.parse(assistant1k()) as { type: string });
  const link = await links[transport as (typeof SLOW_TRANSPORTS)[number]]();
  const count = way === 'idle' ? 0 : Math.round((Number(megabytes) * 1e6) / JSON.stringify(messages[0]).length);
  const message = (index: number) => messages[index % messages.length] as { type: string };
  const start = performance.now();
  if (way === 'forget') {
    for (let index = 0; index < count; index++) link.stdin?.write(`${JSON.stringify(message(index))}\n`);
    link.stdin?.end();
  } else {
    const session = createSession(link.transport());
    for (let index = 0; index < count; index++) await session.emit(message(index));
    await session.close();
  }
  await link.ended;
  return { peakBytes: process.resourceUsage().maxRSS * 1024, seconds: (performance.now() - start) / 1000 };
}

const links: Readonly<Record<(typeof SLOW_TRANSPORTS)[number], () => Promise<SlowLink>>> = {
  async stdio() {
    const reader = slowReader('stdin');
    return {
      transport: () => createStdioTransport({ input: reader.stdout, output: reader.stdin }),
      stdin: reader.stdin,
      ended: once(reader, 'close'),
    };
  },
  async WebSocket() {
    const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
    await once(server, 'listening');
    const reader = slowReader(String((server.address() as AddressInfo).port));
    const [socket, { socket: connection }] = (await once(server, 'connection')) as [WebSocket, IncomingMessage];
    server.close();
    return {
      transport: () => createWebSocketTransport(withCorking(socket, connection)),
      ended: once(reader, 'close'),
    };
  },
  async POST() {
    const { child, port } = await startServer('slow-reader', READ_MB_PER_SECOND, 'posts');
    const url = `http://127.0.0.1:${port}/`;
    // The reader is a server, which ends with this process; the session closes after the answer to its last POST.
    child.unref();
    child.channel?.unref();
    return { transport: () => createSseTransport({ url, fetch: undiciFetch() }), ended: Promise.resolve() };
  },
};

function slowReader(source: string) {
  const args = [CASE_SCRIPT, 'slow-reader', READ_MB_PER_SECOND, source];
  return spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
}
