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

const words = 'one two three four five six seven eight nine ten';
const transport = () => createTcpClientTransport({ url: `tcp://127.0.0.1:${server.address().port}` });
const assembler = createTextAssembler();
let text = '';
for await (const message of query({ prompt: `/echo ${words}`, transport })) {
  text += assembler.add(message);
  // Breaks the first link as soon as something has arrived over it.
  sockets[0].resetAndDestroy();
}
server.close();
assert.equal(text, words);
assert.equal(sockets.length, 2);
console.log('tcp-transport: a session goes on over another connection');
