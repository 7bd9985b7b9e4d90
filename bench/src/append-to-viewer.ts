import { startRedisStream } from './ingress/redis-stream.ts';
import { startWatchedSession } from './ingress/append-to-viewer.ts';
import { median } from './measure.ts';
import { report } from './report.ts';

const ROUNDS = 10;
const EVENTS = 40;
const WARM_UPS = 2;
/** The allowed latency is 1.5 times the latency of redis, plus this. */
const ALLOWANCE_MS = 0.5;

/**
 * Measures the time from the POST of an event until a viewer receives the event from the event stream, compared with an equally durable redis stream.
 */
export async function appendToViewer(): Promise<void> {
  const ours = await startWatchedSession((ROUNDS + WARM_UPS) * EVENTS);
  const redis = await startRedisStream();
  const times = { ours: [] as number[], redis: [] as number[] };
  for (let round = -WARM_UPS; round < ROUNDS; round++) {
    for (let n = 0; n < EVENTS; n++) {
      const mine = await timeOf(() => ours.pass());
      const theirs = redis && (await timeOf(() => redis.pass('{"type":"assistant"}')));
      if (round < 0) continue;
      times.ours.push(mine);
      if (theirs !== undefined) times.redis.push(theirs);
    }
  }
  ours.close();
  await redis?.close();
  const row = { id: 'I4', metric: 'ms', base: 'POST to event stream, wall time', atMost: true } as const;
  const p50 = median(times.ours);
  if (redis === undefined) {
    console.log('redis-server is not installed: its latency is not measured, and the row has no goal');
    report({ ...row, case: 'durable append to a viewer, p50', value: p50 });
    return;
  }
  const limit = median(times.redis);
  report({
    ...row,
    case: 'durable append to a viewer, p50',
    value: p50,
    goal: Number((1.5 * limit + ALLOWANCE_MS).toFixed(2)),
    base: 'redis, XADD to XREAD, appendfsync always',
    figures: { limit: `${limit.toFixed(2)} ms`, ours: `${p50.toFixed(2)} ms` },
    note: `redis ${limit.toFixed(2)} ms`,
  });
}

async function timeOf(pass: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await pass();
  return performance.now() - began;
}
