// A server with planted defects, which the fuzzer must find: the cost of a body grows with the square of its length, and one endpoint blocks all others.
import { createServer } from 'node:http';
import { report } from './report.mjs';

const server = createServer((request, response) => {
  /** @type {Buffer[]} */
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const { length } = Buffer.concat(chunks);
    const rounds =
      request.url === '/squared' ? (length / 1024) ** 2 * 20_000 : request.url === '/linear' ? length * 1000 : 0;
    let sum = 0;
    for (let round = 0; round < rounds; round++) sum += round % 7;
    response.end(String(sum));
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  report(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`);
});
