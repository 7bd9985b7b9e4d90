/** One way to do the work of a case. Returns the number of results; a wrong number is an error, not a slow result. */
export type Candidate = () => number | Promise<number>;

/** The result of one candidate. */
export interface Measured {
  /** Median of runs per second of CPU time. */
  readonly rate: number;
  /** The highest of its rates, because a disturbance can only make a run slower. */
  readonly best: number;
  /** The median, over the rounds, of the ratio between its rate and the rate of the base in the same round. */
  readonly ratio: number;
  /** Interquartile range of its rates, relative to their median. */
  readonly spread: number;
}

/** The results of all candidates of a case. */
export interface Comparison<Name extends string> {
  readonly names: readonly Name[];
  of(name: Name): Measured;
  /** The median, over the rounds, of the ratio between the rates of two candidates in the same round. */
  between(name: Name, other: Name): number;
  /** True when a spread was too large in both tries. */
  readonly noisy: boolean;
}

/** How a case is measured. */
export interface CompareOptions {
  /** The number of rounds; fewer for cases that take seconds each. */
  readonly rounds?: number;
  /** Names whose spread does not make the case noisy. */
  readonly peers?: readonly string[];
}

const ROUNDS = 15;
const SLICE_MS = 12;
const WARM_UP_MS = 50;
const NOISY = 0.15;

/**
 * Runs every candidate once per round, in rotated order, and compares rates only within a round, because a disturbance affects all candidates of a
 * round. The rates use the CPU time of the process, so that other processes do not count.
 */
export async function compare<Name extends string>(
  base: NoInfer<Name>,
  candidates: Readonly<Record<Name, Candidate>>,
  expected: number,
  options: CompareOptions = {},
): Promise<Comparison<Name>> {
  const first = await once(base, candidates, expected, options);
  return first.noisy ? await once(base, candidates, expected, options) : first;
}

async function once<Name extends string>(
  base: Name,
  candidates: Readonly<Record<Name, Candidate>>,
  expected: number,
  { rounds = ROUNDS, peers = [] }: CompareOptions,
): Promise<Comparison<Name>> {
  const names = Object.keys(candidates) as Name[];
  const repeats = {} as Record<Name, number>;
  for (const name of names) repeats[name] = await warmUp(name, candidates[name], expected);

  const rates = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  for (let round = 0; round < rounds; round++) {
    for (let place = 0; place < names.length; place++) {
      const name = names[(place + round) % names.length] as Name;
      rates[name].push(repeats[name] / (await cpuSeconds(name, candidates[name], expected, repeats[name])));
    }
  }

  const between = (name: Name, other: Name): number =>
    median(rates[name].map((rate, round) => rate / (rates[other][round] as number)));
  const measured = new Map<Name, Measured>();
  for (const name of names) {
    measured.set(name, {
      rate: median(rates[name]),
      best: Math.max(...rates[name]),
      ratio: between(name, base),
      spread: spread(rates[name]),
    });
  }
  const of = (name: Name): Measured => measured.get(name) as Measured;
  const noisy = names.some((name) => !peers.includes(name) && of(name).spread > NOISY);
  return { names, of, between, noisy };
}

/** Formats the ratio of every candidate, for the last column of the table. */
export function ratios<Name extends string>(result: Comparison<Name>): string {
  return result.names.map((name) => `${name} ${result.of(name).ratio.toFixed(2)}`).join('  ');
}

/** Runs until the code is compiled. Returns how often to run it in one slice. */
async function warmUp(name: string, candidate: Candidate, expected: number): Promise<number> {
  const until = performance.now() + WARM_UP_MS;
  let fastest = Number.POSITIVE_INFINITY;
  do fastest = Math.min(fastest, await cpuSeconds(name, candidate, expected, 1));
  while (performance.now() < until);
  // The clock counts microseconds.
  return Math.max(1, Math.round(SLICE_MS / 1000 / Math.max(fastest, 1e-6)));
}

async function cpuSeconds(name: string, candidate: Candidate, expected: number, repeats: number): Promise<number> {
  const before = process.cpuUsage();
  for (let run = 0; run < repeats; run++) {
    const pending = candidate();
    // Synchronous candidates are not awaited, because the measurement would include the `await`.
    const count = typeof pending === 'number' ? pending : await pending;
    if (count !== expected) throw new Error(`${name} gave ${count} results instead of ${expected}`);
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

/** Returns the median. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** Returns the interquartile range, relative to the median. */
export function spread(values: readonly number[]): number {
  return (quantile(values, 0.75) - quantile(values, 0.25)) / median(values);
}

/** Returns the value below which the given part of the values lies. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (sorted.length - 1) * part;
  const below = sorted[Math.floor(at)] as number;
  return below + ((sorted[Math.ceil(at)] as number) - below) * (at % 1);
}
