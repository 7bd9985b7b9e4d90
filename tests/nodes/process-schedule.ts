import { setTimeout as delay } from 'node:timers/promises';
import type { TemporaryPostgres } from '@proto/test-support/postgres';
import { randomFrom } from '../schedules/random.ts';
import type { NodeProcesses } from './node-processes.ts';

/** A fault or a repair, and its time in milliseconds from the beginning. */
export interface Step {
  readonly atMs: number;
  readonly what: 'kill' | 'stop' | 'wake' | 'crash' | 'restart';
  /** The number of a node; 0 for the database. */
  readonly node: number;
}

const LENGTH_MS = 1500;
/** How long a stopped node sleeps, as a multiple of the lifetime of a claim: some nodes wake in time, most do not. */
const SLEEP = [0.3, 1.8] as const;

/** Draws the steps of a seed: two to four stops or kills of random nodes, and in every fourth schedule a crash or restart of the database. */
export function drawSteps(seed: string, { nodes, ttlMs }: { nodes: number; ttlMs: number }): Step[] {
  const random = randomFrom('processes', seed);
  const steps: Step[] = [];
  const count = 2 + Math.floor(3 * random());
  for (let n = 0; n < count; n++) {
    const atMs = Math.floor(LENGTH_MS * random());
    const node = 1 + Math.floor(nodes * random());
    if (random() < 0.4) {
      steps.push({ atMs, what: 'kill', node });
    } else {
      const [least, most] = SLEEP;
      const sleepMs = Math.floor(ttlMs * (least + (most - least) * random()));
      steps.push({ atMs, what: 'stop', node }, { atMs: atMs + sleepMs, what: 'wake', node });
    }
  }
  if (random() < 0.25) {
    const atMs = Math.floor(LENGTH_MS * random());
    steps.push({ atMs, what: random() < 0.5 ? 'crash' : 'restart', node: 0 });
  }
  return steps.toSorted((one, other) => one.atMs - other.atMs);
}

/** Takes the steps, and fulfils when every node and the database run again. */
export async function takeSteps(
  steps: readonly Step[],
  { nodes, server, count }: { nodes: NodeProcesses; server: TemporaryPostgres; count: number },
): Promise<void> {
  const begin = performance.now();
  const restarts: Promise<void>[] = [];
  for (const { atMs, what, node } of steps) {
    await delay(Math.max(0, begin + atMs - performance.now()));
    if (what === 'kill') restarts.push(nodes.kill(node).then(() => nodes.restart(node)));
    else if (what === 'stop') nodes.signal(node, 'SIGSTOP');
    else if (what === 'wake') nodes.signal(node, 'SIGCONT');
    else {
      await (what === 'crash' ? server.crash() : server.stop());
      await server.start();
    }
  }
  for (let node = 1; node <= count; node++) nodes.signal(node, 'SIGCONT');
  await Promise.all(restarts);
  for (let node = 1; node <= count; node++) await nodes.restart(node);
}
