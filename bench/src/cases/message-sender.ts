import { createFixtures } from '../fixtures.ts';
import { type StreamPeerName, streamPeers } from '../rpc/stream-peers.ts';

const PER_TICK = 50;

/** An agent that sends messages of 250 bytes by one of the libraries: as many as it is told over IPC; then it tells its CPU time. */
export async function run([name]: readonly string[]): Promise<void> {
  const { delta250 } = createFixtures();
  const message = JSON.parse(delta250()) as object;
  const { peer } = await streamPeers[name as StreamPeerName]();
  const send = await peer.openSender(process.stdin, process.stdout);
  process.on('message', (count: number) => void sendAll(count));
  process.on('disconnect', () => process.exit());
  process.send?.('ready');

  async function sendAll(count: number): Promise<void> {
    const before = process.cpuUsage();
    for (let sent = 0; sent < count; sent += PER_TICK) {
      const tick: unknown[] = [];
      for (let index = 0; index < PER_TICK; index++) tick.push(send(message));
      await Promise.all(tick);
      await new Promise(setImmediate);
    }
    const { user, system } = process.cpuUsage(before);
    process.send?.(user + system);
  }
}
