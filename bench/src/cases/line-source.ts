import { createFixtures } from '../fixtures.ts';

/** An agent that has its lines ready, so that only the reader is measured: writes as many as it is told over IPC. */
export async function run([kind = '']: readonly string[]): Promise<void> {
  const make = createFixtures()[kind as 'delta250' | 'assistant1k' | 'toolResult'];
  const lines = Array.from({ length: kind === 'toolResult' ? 8 : 256 }, () => `${make()}\n`);
  const block = Buffer.from(lines.join(''));
  process.on('message', (count: number) => {
    for (let sent = 0; sent < count; sent += lines.length) process.stdout.write(block);
  });
  process.on('disconnect', () => process.exit());
  process.send?.(lines.length);
}
