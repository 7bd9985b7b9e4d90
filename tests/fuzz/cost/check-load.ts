import { type HealthzProbe, startHealthzProbe } from '../server/healthz-probe.ts';
import { type FuzzServer, startServer } from '../server/start-server.ts';
import type { Load } from './load.ts';
import { type Cost, measure } from './measure.ts';

/** Twice the size may cost this many times as much. */
const MAX_RATIO = 2.3;
/** The longest allowed wait of `/healthz`. */
const MAX_WAIT_MS = 500;
/** The allowed bytes of memory for each byte sent, in addition to the normal growth of the heap. */
const MAX_GROWTH = 12;
/** An answer takes a few turns of the event loop. A wait that these do not explain is caused by the machine, not by the server. */
const TURNS_OF_AN_ANSWER = 2;
const SLACK_BYTES = 96 * 1024 * 1024;
/** Less than this is noise. */
const NOISE_MS = 40;
/** With costs this large, fixed costs do not hide the growth of the others. */
const ENOUGH_MS = 100;
/** The fixed cost is measured at a size smaller than all compared sizes by this factor. */
const BASE_SHARE = 8;
const ATTEMPTS = 3;
/** The number of measurements, of which the smallest counts: other work of the machine can only make a cost larger. */
const GROWTH_ATTEMPTS = 8;
/** Noise of the machine cannot make a server compute for so long, so no further attempt is needed. */
const CERTAIN_MS = 1500;
const LIMIT_MS = 20_000;

/** The result of a load. */
export interface Verdict {
  readonly name: string;
  /** The costs of n, 2n and 4n. */
  readonly costs: readonly Cost[];
  /** The cost of the largest size while `/healthz` was polled; absent if the load costs too little to delay others. */
  readonly largest?: Cost;
  /** The defects, each as a sentence. */
  readonly problems: readonly string[];
}

/** How a load is checked. */
export interface CheckOptions {
  readonly store?: 'memory' | 'file';
  /** The largest size. Default: the maximum of the load. */
  readonly most?: number;
  /** Checks only the growth of the costs, or only the largest size. Default: both. */
  readonly only?: 'growth' | 'largest';
  readonly program?: URL;
}

/** Measures how the costs of a load grow, and how its largest size affects other clients. */
export async function checkLoad(load: Load, options: CheckOptions = {}): Promise<Verdict> {
  const most = Math.min(load.most, options.most ?? load.most);
  const costs = options.only === 'largest' ? [] : await withServer(options, (server) => growthOf(server, load, most));
  const problems = growthProblem(costs);
  // A load with such a small total cost cannot delay other clients.
  const isCheap = costs.at(-1)?.size === most && (costs.at(-1)?.cpuMs ?? 0) < MAX_WAIT_MS / 2;
  if (options.only === 'growth' || isCheap) return { name: load.name, costs, problems };
  const largest = await largestOf(load, most, options);
  const all = [...problems, ...(problems.length === 0 ? leapProblem(costs, largest) : []), ...largestProblems(largest)];
  return { name: load.name, costs, largest, problems: all };
}

/** Measures the cost of the three largest sizes worth measuring, each twice the size before, without the cost of the smallest size. */
async function growthOf(server: FuzzServer, load: Load, most: number): Promise<readonly Cost[]> {
  const costs = new Map<number, Cost>();
  const again = async (size: number) => {
    const cost = await measure(server, load, size, { limitMs: LIMIT_MS });
    const before = costs.get(size);
    if (before === undefined || cost.cpuMs < before.cpuMs) costs.set(size, cost);
    return cost;
  };
  // The first run does not count, because the code is not compiled yet.
  await again(load.least);
  await again(load.least);
  const base = costs.get(load.least)?.cpuMs ?? 0;
  const sizes = sizesOf(load.least * BASE_SHARE, most);
  let last = sizes.length - 1;
  for (let at = 0; at <= last; ) {
    const { cpuMs, isCutShort } = await again(sizes[at] as number);
    if (isCutShort) last = at;
    else if (cpuMs - base > ENOUGH_MS) last = Math.min(last, at + 2);
    at += cpuMs - base < ENOUGH_MS / 6 && at + 2 <= last ? 2 : 1;
  }
  const three = sizes.slice(Math.max(0, last - 2), last + 1);
  for (const size of three) if (!costs.has(size)) await again(size);
  const netted = () =>
    three.map((size) => costs.get(size) as Cost).map((cost) => ({ ...cost, cpuMs: Math.max(0, cost.cpuMs - base) }));
  for (let tries = 1; tries < GROWTH_ATTEMPTS && growthProblem(netted()).length > 0; tries++) {
    for (const size of three) await again(size);
  }
  return netted();
}

/** Returns the maximum halved repeatedly, in ascending order. */
function sizesOf(least: number, most: number): readonly number[] {
  const sizes = [most];
  while ((sizes[0] as number) / 2 >= least) sizes.unshift(Math.floor((sizes[0] as number) / 2));
  return sizes;
}

/** Compares over both doublings together and over the last one: the heap may grow within a single doubling. */
export function growthProblem(costs: readonly Pick<Cost, 'cpuMs' | 'size'>[]): readonly string[] {
  const [first, second, third] = costs;
  if (first === undefined || second === undefined || third === undefined) return [];
  const limit = MAX_RATIO ** 2 * first.cpuMs + NOISE_MS;
  if (third.cpuMs <= limit || third.cpuMs <= MAX_RATIO * second.cpuMs) return [];
  const ratio = Math.sqrt(third.cpuMs / Math.max(1, first.cpuMs)).toFixed(1);
  const figures = costs.map(({ size, cpuMs }) => `${size}: ${cpuMs.toFixed(0)} ms`).join(', ');
  return [`twice as much costs ${ratio} times as much (${figures})`];
}

/** Returns a problem if the largest size costs more than the allowed growth. An aborted run has cost at least as much as measured. */
function leapProblem(costs: readonly Cost[], { size, cpuMs }: Cost): readonly string[] {
  const last = costs.at(-1);
  if (last === undefined || size <= last.size) return [];
  const limit = last.cpuMs * MAX_RATIO ** Math.log2(size / last.size) + MAX_WAIT_MS;
  if (cpuMs <= limit) return [];
  return [`size ${last.size} costs ${last.cpuMs.toFixed(0)} ms, and size ${size} costs ${cpuMs.toFixed(0)} ms`];
}

/** Returns the best of several attempts at the largest size. */
async function largestOf(load: Load, most: number, options: CheckOptions): Promise<Cost> {
  let best: Cost | undefined;
  for (let tries = 0; tries < ATTEMPTS; tries++) {
    const cost = await withServer(options, async (server, probe) => {
      // Warm up, so that the server has compiled its code, like a server that has been running for a long time.
      await measure(server, load, Math.max(load.least, Math.floor(most / 64)), { limitMs: LIMIT_MS });
      return measure(server, load, most, { limitMs: LIMIT_MS, probe: await probe() });
    });
    best = best === undefined ? cost : lesserOf(best, cost);
    if (Math.min(best.waitMs, best.turnMs) > CERTAIN_MS || largestProblems(best).length === 0) break;
  }
  return best as Cost;
}

function lesserOf(one: Cost, other: Cost): Cost {
  const { waitMs } = one.waitMs < other.waitMs ? one : other;
  const { growthBytes } = one.growthBytes < other.growthBytes ? one : other;
  return { ...other, waitMs, growthBytes, turnMs: Math.min(one.turnMs, other.turnMs) };
}

function largestProblems({ size, bytes, waitMs, turnMs, growthBytes, cpuMs }: Cost): readonly string[] {
  const problems: string[] = [];
  if (waitMs > MAX_WAIT_MS && turnMs * TURNS_OF_AN_ANSWER > MAX_WAIT_MS) {
    problems.push(
      `size ${size} keeps /healthz waiting for ${waitMs.toFixed(0)} ms (CPU ${cpuMs.toFixed(0)} ms, ${turnMs.toFixed(0)} ms at a stretch)`,
    );
  }
  if (growthBytes > MAX_GROWTH * bytes + SLACK_BYTES) {
    problems.push(`${mega(bytes)} MB make the server ${mega(growthBytes)} MB larger`);
  }
  return problems;
}

function mega(bytes: number): string {
  return (bytes / 1e6).toFixed(0);
}

async function withServer<Result>(
  { store = 'memory', program }: CheckOptions,
  use: (server: FuzzServer, probe: () => Promise<HealthzProbe>) => Promise<Result>,
): Promise<Result> {
  await using server = await startServer({ store, ...(program && { program }) });
  let probe: HealthzProbe | undefined;
  try {
    return await use(server, async () => (probe ??= await startHealthzProbe(server.url)));
  } finally {
    await probe?.stop();
  }
}
