// A host and an agent over TCP: the connection is cut in the middle of a turn, and the text of the turn arrives completely.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { runAgent } from '@proto/agent';
import { createTextAssembler, query } from '@proto/host';
import { createReferenceAgent } from '@proto/reference-agent';
import { createTcpClientTransport, createTcpServerTransport } from './tcp-transport.mjs';

const session = createTcpServerTransport();
void runAgent(session, createReferenceAgent());
const sockets = [];
const server = createServer((socket) => {
  sockets.push(socket);
  session.accept(socket);
}).listen(0, '127.0.0.1');
await once(server, 'listening');

const transport = () => createTcpClientTransport({ url: `tcp://127.0.0.1:${server.address().port}` });
const assembler = createTextAssembler();
let text = '';
for await (const message of query({ prompt: '/slow 1', transport })) {
  text += assembler.add(message);
  // Breaks the first link as soon as a message has arrived over it. The agent counts for a second, so most of the text has not arrived yet.
  sockets[0].resetAndDestroy();
}
server.close();
// `1 2 3 … done`: no number is missing, and none is repeated.
const words = text.split(' ');
assert.deepEqual(words, [...words.slice(0, -1).map((_, at) => String(at + 1)), 'done']);
assert.equal(sockets.length, 2);
console.log('tcp-transport: a session goes on over another connection');
