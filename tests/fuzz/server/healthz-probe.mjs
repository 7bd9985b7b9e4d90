// Requests `/healthz` of a server repeatedly, in a separate thread, and stores the longest wait in shared memory.
import { Agent, get } from 'node:http';
import { workerData } from 'node:worker_threads';

const { url, shared } = workerData;
// 0: the longest wait in ms; 1: the age of the request that has no answer yet, in ms; 2: the number of answers.
const waits = new Float64Array(shared);
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const PAUSE_MS = 10;
let askedAt = 0;

setInterval(() => (waits[1] = askedAt === 0 ? 0 : performance.now() - askedAt), PAUSE_MS);
for (;;) {
  askedAt = performance.now();
  await new Promise((resolve) => {
    get(`${url}/healthz`, { agent }, (response) => response.resume().once('close', resolve)).once('error', resolve);
  });
  const waited = performance.now() - askedAt;
  askedAt = 0;
  waits[1] = 0;
  waits[0] = Math.max(waits[0], waited);
  waits[2] += 1;
  await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
}
