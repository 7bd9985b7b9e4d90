import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { verifies } from '@proto/test-support/verifies';
import { expect } from 'vitest';

const PROGRAM = fileURLToPath(new URL('offer-to-stalled.mjs', import.meta.url));
const OFFERS = 16_384;
const MAX_GROWTH_BYTES = 64 * 1024 * 1024;

async function offer(overflow: string) {
  // V8 decides how far garbage may grow the young generation, so a fixed size keeps garbage out of the figure.
  const { stdout } = await promisify(execFile)(process.execPath, ['--max-semi-space-size=2', PROGRAM, overflow]);
  return JSON.parse(stdout) as Record<'offered' | 'refused' | 'dropped' | 'grown', number>;
}

verifies(
  'QUEUE-17',
  'a gibibyte for a process that does not read is not buffered: sends wait, fail or are dropped',
  async () => {
    const wait = await offer('wait');
    expect(wait).toMatchObject({ waited: true, settled: true, refused: 0, dropped: 0 });
    // Only the messages that fit into the pipe and the queue were accepted.
    expect(wait.offered).toBeLessThan(100);
    const fail = await offer('fail');
    expect(fail).toMatchObject({ offered: OFFERS, waited: false, dropped: 0 });
    expect(fail.refused).toBeGreaterThan(OFFERS - 100);
    const drop = await offer('drop-ephemeral');
    expect(drop).toMatchObject({ offered: OFFERS, waited: false, refused: 0 });
    expect(drop.dropped).toBeGreaterThan(OFFERS - 100);
    for (const { grown } of [wait, fail, drop]) expect(grown).toBeLessThan(MAX_GROWTH_BYTES);
  },
  { timeout: 120_000 },
);
