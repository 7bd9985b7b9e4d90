import { remoteSession } from '../schedules/remote/remote-session.ts';
import { drawSchedule } from './schedule.ts';
import type { StoreFault } from './store.ts';
import { openWorld, type SimulatedWorld } from './world.ts';

/** What to simulate. */
export interface SimulationOptions {
  readonly nodes: number;
  readonly sockets: boolean;
  /** A planted fault of the store. */
  readonly fault?: StoreFault | undefined;
  readonly keepsTrace?: boolean | undefined;
}

/** The result of one simulation. */
export interface Outcome {
  readonly seed: string;
  readonly schedule: readonly string[];
  /** The promise that was broken, if one was. */
  readonly problem: string | undefined;
  /** A hash of everything that happened: the same seed and schedule give the same hash. */
  readonly hash: string;
  /** The lines of the trace, if it was kept. */
  readonly trace: readonly string[];
  /** How often each kind of fault took effect. */
  readonly faults: ReadonlyMap<string, number>;
}

/** Runs the schedule of a seed, or another one under the same seed. */
export async function simulate(
  seed: string,
  options: SimulationOptions,
  schedule = drawSchedule(seed, options),
): Promise<Outcome> {
  let world: SimulatedWorld | undefined;
  const scenario = remoteSession('simulation', () => (world = openWorld({ seed, ...options })), options);
  let problem: string | undefined;
  const fail = (error: unknown) => (problem ??= error instanceof Error ? error.message : String(error));
  process.on('unhandledRejection', fail);
  try {
    await scenario.run(schedule);
  } catch (error) {
    fail(error);
  } finally {
    process.off('unhandledRejection', fail);
  }
  const { hash = '', lines = [], faults = new Map() } = world?.trace ?? {};
  return { seed, schedule, problem, hash, trace: lines, faults };
}

/** The command that runs a simulation again, and shows what happens in it. */
export function againOf({ seed, schedule }: Outcome, { nodes, sockets, fault }: SimulationOptions): string {
  const flags = [`--nodes ${nodes}`, ...(sockets ? [] : ['--no-sockets']), ...(fault ? [`--plant '${fault}'`] : [])];
  return `again: pnpm simulate --seed ${seed} ${flags.join(' ')} --replay '${JSON.stringify(schedule)}' --trace`;
}

/** Leaves out one part of the schedule after the other, as long as it still fails: first large parts, then single steps. */
export async function shrink(failed: Outcome, options: SimulationOptions): Promise<Outcome> {
  let smallest = failed;
  for (let size = Math.ceil(failed.schedule.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let place = 0; place < smallest.schedule.length; ) {
      const rest = smallest.schedule.toSpliced(place, size);
      const outcome = await simulate(failed.seed, options, rest);
      if (outcome.problem === undefined) place += size;
      else smallest = outcome;
    }
  }
  return smallest;
}
