import type { Scenario } from '@proto/test-support';
import { randomFrom } from './random.ts';

/** A schedule that did not hold. */
export interface Failure {
  /** Which run it was, from 0. */
  readonly run: number;
  readonly schedule: readonly string[];
  /** The schedule without the steps it fails without. */
  readonly minimal: readonly string[];
  /** What went wrong with the minimal one. */
  readonly problem: string;
}

/** What came of the random schedules of one scenario. */
export interface Report {
  readonly scenario: string;
  /** How many were run: all, or those up to the first that failed. */
  readonly runs: number;
  readonly failure?: Failure;
}

/** A schedule that has not ended by then hangs: most take milliseconds. */
const LIMIT_MS = 30_000;

/** The schedule of one run: it depends on nothing but the seed, the scenario and the number of the run. */
export function scheduleOf({ name, steps, maxSteps, passages = [] }: Scenario, seed: number, run: number): string[] {
  const random = randomFrom(seed, name, run);
  const pick = (below: number) => Math.floor(random() * below);
  const schedule = Array.from({ length: pick(maxSteps + 1) }, () => steps[pick(steps.length)] as string);
  if (passages.length === 0 || pick(2) === 0) return schedule;
  // What a passage leads to is to be seen, so that less is between and behind its steps than there is without one.
  return woven(schedule.slice(0, pick(maxSteps / 2)), passages[pick(passages.length)] as readonly string[], pick);
}

/** Both in their order, one among the other. */
function woven(schedule: readonly string[], passage: readonly string[], pick: (below: number) => number): string[] {
  const places = passage.map(() => pick(schedule.length + 1)).sort((a, b) => a - b);
  return [...schedule, undefined].flatMap((step, index) => [
    ...passage.filter((_, n) => places[n] === index),
    ...(step === undefined ? [] : [step]),
  ]);
}

/** Runs random schedules until one fails, and looks for the smallest part of it that does, unless it is wanted as it is. */
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

/** What failed and how to see it again; undefined where nothing did. */
export function againOf({ scenario, failure }: Report): string | undefined {
  if (failure === undefined) return undefined;
  return `${failure.problem}\nagain: pnpm schedules --only '${scenario}' --replay '${JSON.stringify(failure.minimal)}'`;
}

/** What does not hold under a schedule; nothing where all does. An error that nobody catches counts too. */
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

/** Leaves out one step after the other, as long as it still fails. */
async function minimize(scenario: Scenario, schedule: readonly string[]) {
  let minimal = schedule;
  let problem = (await problemOf(scenario, schedule)) ?? 'it failed once, and not again';
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
    const timer = setTimeout(() => reject(new Error(`it has not ended after ${LIMIT_MS} ms`)), LIMIT_MS);
    signal.addEventListener('abort', () => clearTimeout(timer));
  });
}
