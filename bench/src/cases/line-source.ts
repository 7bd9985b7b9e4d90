import { createFixtures } from '../fixtures.ts';

/** An agent with prepared lines, so that only the reader is measured. Writes as many lines as its parent requests over IPC. */
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
