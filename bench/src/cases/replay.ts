import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteEventLog } from '@proto/ingress';

const EVENTS = 20_000;
const ROUNDS = 7;
const TEXT = 'The tests pass now. '.repeat(8);

/** Reads a stream of a file store from its beginning, in pages. Returns the CPU time for each event in microseconds, for each round. */
export async function run(): Promise<readonly number[]> {
  const folder = mkdtempSync(join(tmpdir(), 'replay-'));
  const log = await openSqliteEventLog({ file: join(folder, 'log.db') });
  const event = (n: number) => ({
    id: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
    type: 'assistant',
    source: 'worker',
    owner: 'worker',
    payload: JSON.stringify({ type: 'assistant', message: { content: [{ type: 'text', text: TEXT }] } }),
  });
  for (let n = 0; n < EVENTS; n += 1000)
    await log.append(
      's',
      Array.from({ length: 1000 }, (_, one) => event(n + one)),
    );
  const costs: number[] = [];
  for (let round = -2; round < ROUNDS; round++) {
    const before = process.cpuUsage();
    let read = 0;
    for (let after = 0; after < EVENTS; ) {
      const { events } = await log.read('s', after);
      read += events.length;
      after = events.at(-1)?.sequence ?? EVENTS;
    }
    if (read !== EVENTS) throw new Error(`read ${read} events instead of ${EVENTS}`);
    const { user, system } = process.cpuUsage(before);
    if (round >= 0) costs.push((user + system) / EVENTS);
  }
  await log.close();
  rmSync(folder, { recursive: true });
  return costs;
}
