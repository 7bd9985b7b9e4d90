// Offers a gibibyte to a child that does not read, and prints what happened: `node offer-to-stalled.mjs wait|fail|drop-ephemeral`.
import { createOutboundStream } from '@proto/core';
import { spawnAgent } from '@proto/transport-stdio';

const [overflow] = process.argv.slice(2);
const MESSAGE_BYTES = 64 * 1024;
const OFFERS = 1024 ** 3 / MESSAGE_BYTES;
// Each message has a different text, as in a real session.
const textOf = (n) => `${n}`.padEnd(MESSAGE_BYTES, 'x');

const child = spawnAgent({
  command: process.execPath,
  args: ['-e', 'process.once("SIGUSR2", () => process.stdin.resume()); console.log("{}"); setInterval(() => {}, 1000)'],
});
// The child writes a line once it listens for the signal.
await child.incoming[Symbol.asyncIterator]().next();
const stream = createOutboundStream({ overflow });
stream.pipeTo(child).catch(() => {});

const before = process.memoryUsage().rss;
const said = { offered: 0, refused: 0, waited: false, settled: false };
let pending;
while (said.offered < OFFERS && pending === undefined) {
  const message = { type: 'stream_event', text: textOf(said.offered++) };
  try {
    const taken = stream.emit(message, { ephemeral: true });
    // If a promise has settled by the next turn of the event loop, it did not wait for the reader.
    const turn = new Promise((resolve) => setImmediate(resolve, 'waits'));
    if ((await Promise.race([taken, turn])) === 'waits') pending = taken;
  } catch (error) {
    if (error.code !== 'overflow') throw error;
    said.refused++;
  }
}
said.waited = pending !== undefined;
const grown = process.resourceUsage().maxRSS * 1024 - before;
process.kill(child.pid, 'SIGUSR2');
await pending;
said.settled = true;
console.log(JSON.stringify({ ...said, dropped: stream.dropped, grown }));
child.abort();
await child.closed;
