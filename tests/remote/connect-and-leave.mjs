// Opens event streams of a server in this process and closes them, 20 at a time. Writes the heap size in bytes after each of these totals:
// `node --expose-gc connect-and-leave.mjs 1000 10000`.
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { createAccounts, createMemoryEventLog, listen } from '@proto/ingress';

const AT_ONCE = 20;
const TOKEN = 'driver-token-0123456789';
const accounts = await createAccounts([{ name: 'driver', role: 'driver', token: TOKEN }]);
const server = await listen({ log: createMemoryEventLog(), accounts });
const headers = { authorization: `Bearer ${TOKEN}` };
const made = await fetch(`${server.url}/v1/code/sessions`, { method: 'POST', headers, body: '{}' });
const { session } = await made.json();
const request = `GET /v1/code/sessions/${session.id}/events/stream HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${TOKEN}\r\n\r\n`;

async function openAndLeave() {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  socket.write(request);
  let seen = '';
  for await (const data of socket) {
    seen += data;
    if (seen.includes('"verdict":"ok"')) return;
  }
  throw new Error(`the stream ended before it began: ${seen}`);
}

let connects = 0;
const heaps = [];
for (const total of process.argv.slice(2).map(Number)) {
  const some = async () => {
    while (connects < total) {
      connects++;
      await openAndLeave();
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, some));
  // Some objects are released only in the turn after a collection.
  for (let turn = 0; turn < 3; turn++) {
    await delay(10);
    globalThis.gc();
  }
  heaps.push(process.memoryUsage().heapUsed);
}
console.log(JSON.stringify(heaps));
await server.close();
