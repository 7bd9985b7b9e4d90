import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemoryEventLog, openSqliteEventLog } from '@proto/ingress';

const STREAMS = 100_000;
const AT_ONCE = 1000;
const ROUNDS = 5;
const AGE_MS = 60_000;

/** The longest time in milliseconds for which each operation blocked the event loop. */
export type Holds = Readonly<Record<'read' | 'list' | 'expiry of nothing' | 'expiry of all', number>>;

/**
 * Creates a `memory` or `file` store with 100 000 streams, and measures for how long its operations block the event loop. A disturbance can only make
 * the longest block of a round longer, so the round with the shortest one counts. All streams can expire only once, so this operation has only one
 * round.
 */
export async function run([store = '']: readonly string[]): Promise<Holds> {
  let time = 1;
  const options = { now: () => time, maxAgeMs: AGE_MS };
  const folder = mkdtempSync(join(tmpdir(), 'held-loop-'));
  const log =
    store === 'memory'
      ? createMemoryEventLog(options)
      : await openSqliteEventLog({ ...options, file: join(folder, 'log.db') });
  for (let n = 0; n < STREAMS; n += AT_ONCE) {
    await Promise.all(Array.from({ length: AT_ONCE }, (_, one) => log.append(`s${n + one}`, [event(n + one)])));
  }
  const shortest = async (work: () => Promise<unknown>) => {
    const holds: number[] = [];
    for (let round = 0; round < ROUNDS; round++) holds.push(await longestHold(work));
    return Math.min(...holds);
  };
  const holds = {
    read: await shortest(() => log.read(`s${STREAMS / 2}`, 0)),
    list: await shortest(() => log.listStreams({ limit: 100, before: `s${STREAMS / 2}` })),
    'expiry of nothing': await shortest(() => log.expire()),
  };
  time += AGE_MS + 1;
  const all = await longestHold(() => log.expire());
  const { streams } = await log.usage();
  if (streams !== 0) throw new Error(`${streams} streams did not expire`);
  await log.close();
  rmSync(folder, { recursive: true });
  return { ...holds, 'expiry of all': all };
}

function event(n: number) {
  const id = `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
  return { id, type: 'assistant', source: 'worker', owner: 'worker', payload: '{"type":"assistant"}' };
}

/** The longest time between two turns of the event loop while an operation runs. */
async function longestHold(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let isDone = false;
  let last = performance.now();
  const turn = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    if (!isDone) setImmediate(turn);
  };
  setImmediate(turn);
  await work();
  isDone = true;
  turn();
  return longest;
}
