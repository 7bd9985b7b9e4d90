/** Replays runs of the model of the specification on the real server, also those in which the server is killed before it has stored everything. */
import { expect, test } from 'vitest';
import { NotReplayable, replay } from './replay.ts';
import type { Moment } from './trace.ts';

const { tracesOf } = await import(new URL('../../../scripts/model/traces.mjs', import.meta.url).href);

const [SEED, STEPS] = [7, 45];
const TIMEOUT_MS = 240_000;

/** Replays so many runs of a module. Returns how many the server followed, and how many no server could have. */
async function replayAll(file: string, module: string, traces: number) {
  const options = { file, module, step: 'step', steps: STEPS, seed: SEED, traces };
  const runs = (await tracesOf(options)) as readonly (readonly Moment[])[];
  const count = { followed: 0, impossible: 0, problems: [] as string[] };
  for (const [index, moments] of runs.entries()) {
    try {
      await replay(moments);
      count.followed++;
    } catch (error) {
      if (error instanceof NotReplayable) count.impossible++;
      else count.problems.push(`run ${index}: ${String(error)}`);
    }
  }
  return count;
}

test(
  'the server gives the answers, the deliveries and the log of the model in each of its runs, whenever it is killed',
  async () => {
    const { followed, impossible, problems } = await replayAll('resume.qnt', 'correct', 200);
    expect(problems).toEqual([]);
    expect(followed).toBeGreaterThan(150);
    expect(followed + impossible).toBe(200);
  },
  TIMEOUT_MS,
);

test.each(['noRepetitions', 'everyAnswer', 'noFence'])(
  'a replay notices that the server differs from a model with the fault %s',
  async (module) => {
    const { problems } = await replayAll('resume-faults.qnt', module, 60);
    expect(problems).not.toEqual([]);
  },
  TIMEOUT_MS,
);
