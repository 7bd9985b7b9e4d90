import type { Scenario } from '@proto/test-support';
import { randomFrom } from './random.ts';

/** A schedule under which a scenario failed. */
export interface Failure {
  /** The number of the run, from 0. */
  readonly run: number;
  readonly schedule: readonly string[];
  /** The schedule reduced to the steps that are needed for the failure. */
  readonly minimal: readonly string[];
  /** The error of the reduced schedule. */
  readonly problem: string;
}

/** The result of the random schedules of one scenario. */
export interface Report {
  readonly scenario: string;
  /** How many schedules ran: all, or those up to the first failure. */
  readonly runs: number;
  readonly failure?: Failure;
}

// A simulation replaces the timers of the platform.
const { setTimeout, clearTimeout } = globalThis;

/** The time limit of a schedule, which then counts as hanging. Most schedules take milliseconds. */
const LIMIT_MS = 30_000;

/** Returns the schedule of one run, which depends only on the seed, the scenario and the number of the run. */
export function scheduleOf({ name, steps, maxSteps, passages = [] }: Scenario, seed: number, run: number): string[] {
  const random = randomFrom(seed, name, run);
  const pick = (below: number) => Math.floor(random() * below);
  const schedule = Array.from({ length: pick(maxSteps + 1) }, () => steps[pick(steps.length)] as string);
  if (passages.length === 0 || pick(2) === 0) return schedule;
  // Only a few random steps are added between and after the steps of a passage, so that the effect of the passage stays visible.
  return woven(schedule.slice(0, pick(maxSteps / 2)), passages[pick(passages.length)] as readonly string[], pick);
}

/** Merges two lists at random; each keeps its order. */
function woven(schedule: readonly string[], passage: readonly string[], pick: (below: number) => number): string[] {
  const places = passage.map(() => pick(schedule.length + 1)).sort((a, b) => a - b);
  return [...schedule, undefined].flatMap((step, index) => [
    ...passage.filter((_, n) => places[n] === index),
    ...(step === undefined ? [] : [step]),
  ]);
}

/** Runs random schedules until one fails, and reduces that schedule to the smallest part that still fails, unless reducing is off. */
export async function runSchedules(
  scenario: Scenario,
  seed: number,
  runs: number,
  { shortens = true }: { readonly shortens?: boolean } = {},
): Promise<Report> {
  for (let run = 0; run < runs; run++) {
    const schedule = scheduleOf(scenario, seed, run);
    const found = await problemOf(scenario, schedule);
    if (found === undefined) continue;
    const whole = { minimal: schedule, problem: found };
    const { minimal, problem } = shortens ? await minimize(scenario, schedule) : whole;
    return { scenario: scenario.name, runs: run + 1, failure: { run, schedule, minimal, problem } };
  }
  return { scenario: scenario.name, runs };
}

/** Describes a failure and how to reproduce it. Returns undefined if no schedule failed. */
export function againOf({ scenario, failure }: Report): string | undefined {
  if (failure === undefined) return undefined;
  return `${failure.problem}\nagain: pnpm schedules --only '${scenario}' --replay '${JSON.stringify(failure.minimal)}'`;
}

/** Runs a scenario under a schedule. Returns the error, if there is one. An uncaught error counts, too. */
export async function problemOf(scenario: Scenario, schedule: readonly string[]): Promise<string | undefined> {
  const stop = new AbortController();
  try {
    await Promise.race([scenario.run(schedule), uncaught(stop.signal), timeUp(stop.signal)]);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    stop.abort();
  }
}

/** Leaves out one step after the other as long as the schedule still fails. */
async function minimize(scenario: Scenario, schedule: readonly string[]) {
  let minimal = schedule;
  let problem = (await problemOf(scenario, schedule)) ?? 'the schedule failed once, but not when it was repeated';
  for (let place = 0; place < minimal.length; ) {
    const shorter = minimal.toSpliced(place, 1);
    const found = await problemOf(scenario, shorter);
    if (found === undefined) place++;
    else [minimal, problem] = [shorter, found];
  }
  return { minimal, problem };
}

function uncaught(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    process.once('unhandledRejection', reject);
    signal.addEventListener('abort', () => process.off('unhandledRejection', reject));
  });
}

function timeUp(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`the schedule has not ended after ${LIMIT_MS} ms`)), LIMIT_MS);
    signal.addEventListener('abort', () => clearTimeout(timer));
  });
}
