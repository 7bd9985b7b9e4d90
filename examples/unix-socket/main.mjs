// A host and an agent over a Unix socket: a session works over any transport.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runAgent } from '@proto/agent';
import { query } from '@proto/host';
import { createReferenceAgent } from '@proto/reference-agent';
import { createUnixSocketTransport } from './unix-socket-transport.mjs';

const folder = mkdtempSync(join(tmpdir(), 'unix-socket-'));
const path = join(folder, 'agent.sock');
const server = createServer({ allowHalfOpen: true }, (socket) => {
  void runAgent(createUnixSocketTransport(socket), createReferenceAgent());
}).listen(path);

const results = [];
const transport = () => createUnixSocketTransport(connect({ path, allowHalfOpen: true }));
for await (const message of query({ prompt: '/echo hello over a socket', transport })) {
  if (message.type === 'result') results.push(message.result);
}
server.close();
rmSync(folder, { recursive: true });
assert.deepEqual(results, ['hello over a socket']);
console.log('unix-socket: a session over a transport of one’s own');
