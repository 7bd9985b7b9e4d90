import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAccounts, createMemoryEventLog, openSqliteEventLog, listen } from '@proto/ingress';

/** The addresses and tokens for sending to a server. */
export interface SessionAddress {
  readonly port: number;
  /** The path of the session; empty for the bare server. */
  readonly session: string;
  /** The token of a driver. */
  readonly driver: string;
  /** The token of the worker that has the lease. */
  readonly worker: string;
}

const DRIVER = 'driver-token-0123456789';
/** Limits that are too high to end a measurement. */
const NO_LIMIT = 1e9;

/** Serves a session from a `memory` or `file` store, or answers everything at once (`bare`). Reports its address, and its CPU time when asked. */
export async function run([store = '']: readonly string[]): Promise<void> {
  process.on('disconnect', () => process.exit());
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    process.send?.(user + system);
  });
  process.send?.(store === 'bare' ? await bareServer() : await sessionServer(store));
}

/** The minimal server: it reads the body and answers 200. */
async function bareServer(): Promise<SessionAddress> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (Buffer.concat(chunks).length === 0) throw new Error('a body is missing');
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, session: '', driver: '', worker: '' };
}

async function sessionServer(store: string): Promise<SessionAddress> {
  const accounts = await createAccounts([{ name: 'driver', role: 'driver', token: DRIVER }]);
  const { url } = await listen({
    log: store === 'memory' ? createMemoryEventLog() : await fileLog(),
    accounts,

    limits: { maxRequestsPerSecond: NO_LIMIT, maxBytesPerSecond: NO_LIMIT },
  });
  const post = async (path: string) => {
    const headers = { authorization: `Bearer ${DRIVER}` };
    const response = await fetch(`${url}/v1/code/sessions${path}`, { method: 'POST', headers });
    return (await response.json()) as { readonly session: { readonly id: string }; readonly worker_jwt: string };
  };
  const { session } = await post('');
  const { worker_jwt: worker } = await post(`/${session.id}/bridge`);
  return { port: Number(new URL(url).port), session: `/v1/code/sessions/${session.id}`, driver: DRIVER, worker };
}

function fileLog() {
  const folder = mkdtempSync(join(tmpdir(), 'session-server-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return openSqliteEventLog({ file: join(folder, 'log.db') });
}
