import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { openSession } from './open-session.ts';
import { serverSessions } from './server-sessions.ts';

/** Starts a server whose answers end after the first half of their body, although they announce the whole body. */
async function startCutting(body: string): Promise<string> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
    response.write(body.slice(0, body.length / 2), () => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('an answer that breaks off is an error, and not the end of the log', async () => {
  const base = await startCutting('{"data":[],"last_sequence_num":7}');
  const broken = { code: 'unreachable', retryable: true };
  await expect(openSession({ base, session: 'cse_1' })).rejects.toMatchObject(broken);
  await expect(serverSessions(base, undefined).eventsAfter('cse_1', '0')).rejects.toMatchObject(broken);
  await expect(serverSessions(base, undefined).list()).rejects.toMatchObject(broken);
});
