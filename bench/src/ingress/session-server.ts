import { once } from 'node:events';
import { Agent, request } from 'undici';
import type { SessionAddress } from '../cases/session-server.ts';
import { cpuOf, startProcess } from '../server-child.ts';

/** A server in a separate process, whose CPU time is measured. */
export interface MeasuredServer {
  readonly address: SessionAddress;
  /** Posts bodies, several at a time, and returns the microseconds of CPU time of the server for each. */
  post(bodies: readonly string[], path: string, token: string): Promise<number>;
  /** Starts an event stream, whose bytes are read and dropped. */
  follow(): Promise<void>;
  close(): void;
}

/** The number of requests in progress at a time. */
const CONNECTIONS = 16;

/** Starts a server with a `memory` or `file` store, or the `bare` one. */
export async function startSessionServer(store: 'memory' | 'file' | 'bare'): Promise<MeasuredServer> {
  const { child, message: address } = await startProcess<SessionAddress>('session-server', store);
  const origin = `http://127.0.0.1:${address.port}`;
  const dispatcher = new Agent({ connections: CONNECTIONS });
  const streams = new Agent();
  return {
    address,
    async post(bodies, path, token) {
      const headers = { 'content-type': 'application/json', ...(token !== '' && { authorization: `Bearer ${token}` }) };
      let next = 0;
      const send = async () => {
        while (next < bodies.length) {
          const body = bodies[next++] as string;
          const answer = await request(`${origin}${path}`, { dispatcher, method: 'POST', headers, body });
          if (answer.statusCode !== 200) throw new Error(`${answer.statusCode} ${await answer.body.text()}`);
          await answer.body.dump();
        }
      };
      const before = await cpuOf(child);
      await Promise.all(Array.from({ length: CONNECTIONS }, send));
      return ((await cpuOf(child)) - before) / bodies.length;
    },
    async follow() {
      const { body } = await request(`${origin}${address.session}/events/stream?from_sequence_num=999999999`, {
        dispatcher: streams,
        headers: { authorization: `Bearer ${address.driver}` },
        bodyTimeout: 0,
      });
      await once(
        body.on('error', () => {}),
        'data',
      );
    },
    close() {
      void dispatcher.destroy();
      void streams.destroy();
      child.disconnect();
    },
  };
}
