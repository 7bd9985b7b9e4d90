import type { Case } from '../cases/case-schema.ts';
import type { Failure } from '../results/result.ts';
import { withoutIgnored } from './unknown-members.ts';

/** Runs a session, and returns what is wrong with it. */
export type RunSession = (entry: Case) => Promise<readonly Failure[]>;

/** Returns the same start if nothing can be left out. */
export type SimplifyStart = (start: Case['start']) => Case['start'];

export interface ShrinkOptions {
  readonly failures: readonly Failure[];
  readonly run: RunSession;
  /** Ways to simplify the start of the program, which are tried one after the other. */
  readonly simpler: readonly SimplifyStart[];
}

/** The shortest session found, and how often the original session failed in the same way when it was run again. */
export interface Shrunk {
  readonly entry: Case;
  readonly failure: Failure;
  /** Whether the failure occurred again. If not, `entry` is the original session. */
  readonly isRepeatable: boolean;
  /** Whether each step that is left was found to be needed. If not, there were too many runs or too little time. */
  readonly isShortest: boolean;
}

// A failure that depends on timing may need several attempts.
const REPEATS = 3;
const MAX_RUNS = 120;
const MAX_MS = 90_000;
const QUICK_MS = 1000;

/** Removes parts of a session as long as the rest still breaks the same rule. Makes at most 120 runs, within at most 90 seconds. */
export async function shrinkSession(original: Case, { failures, run, simpler }: ShrinkOptions): Promise<Shrunk> {
  const failure = mainFailure(failures);
  const end = performance.now() + MAX_MS;
  let runs = 0;
  let shown = failure;
  let isShortest = true;
  const fails = async (entry: Case): Promise<boolean> => {
    isShortest &&= runs < MAX_RUNS && performance.now() <= end;
    if (!isShortest) return false;
    runs += 1;
    const found = (await run(entry)).find((each) => keyOf(each) === keyOf(failure));
    if (found !== undefined) shown = found;
    return found !== undefined;
  };
  const outcomes: boolean[] = [];
  while (outcomes.length < REPEATS && !outcomes.includes(true)) outcomes.push(await fails(original));
  const isRepeatable = outcomes.includes(true);
  if (!isRepeatable) return { entry: original, failure, isRepeatable, isShortest };
  // A session that fails whenever it runs is not shortened to a session that fails only sometimes. Each shortened version of a slow session is run only once.
  const isQuick = MAX_MS - (end - performance.now()) < QUICK_MS * runs;
  const isSteady = isQuick && outcomes.length === 1 && (await fails(original));
  const stillFails = async (entry: Case) => (await fails(entry)) && (!isSteady || (await fails(entry)));
  const withSteps = (steps: Case['steps']) => ({ ...original, steps });
  const steps = await withoutNeedless(original.steps, (rest) => stillFails(withSteps(rest)));
  const short = await withShorterLists(steps, (shorter) => stillFails(withSteps(shorter)));
  let entry = withSteps(await withoutNeedlessMembers(short, (plainer) => stillFails(withSteps(plainer))));
  for (const simplify of simpler) {
    const smaller = { ...entry, start: simplify(entry.start) };
    if (JSON.stringify(smaller) !== JSON.stringify(entry) && (await stillFails(smaller))) entry = smaller;
  }
  return { entry, failure: shown, isRepeatable, isShortest };
}

/** The failure that the shrunk session must still show: the first failure of the strongest level. A broken rule is preferred to a failed step. */
export function mainFailure(failures: readonly Failure[]): Failure {
  const must = failures.filter(({ level }) => level === 'must');
  const candidates = must.length > 0 ? must : failures;
  const found = candidates.find(({ rule }) => rule !== undefined) ?? candidates[0];
  if (found === undefined) throw new Error('A session without a failure cannot be shrunk.');
  return found;
}

/** Returns the same text for two failures that show the same fault. */
export function keyOf({ rule, spec }: Failure): string {
  return rule ?? spec;
}

async function withoutNeedlessMembers(
  original: Case['steps'],
  isEnough: (steps: Case['steps']) => Promise<boolean>,
): Promise<Case['steps']> {
  const plain = original.map((step) => withoutIgnored(step) ?? step);
  const ignored = [...original.keys()].filter((at) => plain[at] !== original[at]);
  if (ignored.length > 1 && (await isEnough(plain))) return plain;
  let steps = original;
  for (const at of ignored) {
    const plainer = steps.with(at, plain[at] ?? {});
    if (await isEnough(plainer)) steps = plainer;
  }
  return steps;
}

/** Shortens the lists in steps, such as the messages that are sent in one write. The steps of a `repeat` are only useful together. */
async function withShorterLists(
  original: Case['steps'],
  isEnough: (steps: Case['steps']) => Promise<boolean>,
): Promise<Case['steps']> {
  let steps = original;
  for (const at of original.keys()) {
    for (const [name, list] of Object.entries(original[at] ?? {})) {
      if (!Array.isArray(list) || name === 'steps') continue;
      const withList = (rest: readonly unknown[]) => steps.with(at, { ...steps[at], [name]: rest });
      steps = withList(await withoutNeedless<unknown>(list, (rest) => isEnough(withList(rest))));
    }
  }
  return steps;
}

/** Removes runs of items, large ones first, as long as `isEnough` accepts the rest. */
async function withoutNeedless<T>(
  items: readonly T[],
  isEnough: (rest: readonly T[]) => Promise<boolean>,
): Promise<readonly T[]> {
  let kept = items;
  for (let size = Math.ceil(kept.length / 2); size > 0; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = kept.length - size; at > -size; at -= size) {
      const rest = kept.filter((_, index) => index < at || index >= at + size);
      if (rest.length > 0 && (await isEnough(rest))) kept = rest;
    }
  }
  return kept;
}
