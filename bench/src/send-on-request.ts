import { createFixtures } from './fixtures.ts';

const PER_TICK = 50;

/** Sends as many messages of 250 bytes as the parent requests over IPC, and then reports the CPU time of this process in microseconds. */
export function sendOnRequest(send: (message: object) => unknown): void {
  const message = JSON.parse(createFixtures().delta250()) as object;
  process.on('message', (count: number) => void sendAll(count));

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
