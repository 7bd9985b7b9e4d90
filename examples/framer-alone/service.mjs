// A log service in a worker: POST sends any number of lines, in any pieces, and GET returns the counts. The service uses only the framer of the
// library, which turns bytes into lines of a limited length, however the bytes were split.
import { createServer } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';
import { decodeLines, parseLine } from '@proto/core/framing';

const { maxLineBytes } = workerData;
const counts = { malformed: 0, tooLarge: 0 };

async function take(body) {
  for await (const line of decodeLines(body, { maxLineBytes })) {
    if (typeof line !== 'string') {
      counts.tooLarge++;
      continue;
    }
    const { message } = parseLine(line);
    const kind = message === undefined ? 'malformed' : message.type;
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
}

const server = createServer((request, response) => {
  if (request.method === 'GET') return void response.end(JSON.stringify(counts));
  take(request).then(
    () => response.writeHead(204).end(),
    () => response.destroy(),
  );
});
server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
parentPort.once('message', () => {
  server.closeAllConnections();
  server.close();
});
