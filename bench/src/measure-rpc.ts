import { median, quantile, spread } from './measure.ts';
import type { RpcClient } from './rpc/stream-peer.ts';

// V8 needs about 20 000 requests to compile the code. With fewer requests, the result mainly shows which parts were compiled.
const WARM_UPS = 10;
const ROUNDS = 7;
const RUNS = 3;
const TRIPS = 300;
const IN_FLIGHT = 100;
const NOISY = 0.15;

/** The results of each candidate, with one request at a time and with a hundred. */
export interface RpcComparison {
  /** Microseconds. */
  p50(name: string): number;
  p99(name: string): number;
  /** Requests per second with 100 open requests. */
  rate(name: string): number;
  /** The median over the rounds of the ratios inside each round. */
  p50Ratio(name: string, other: string): number;
  rateRatio(name: string, other: string): number;
  isNoisy(metric: 'p50' | 'rate', names: readonly string[]): boolean;
}

interface Sample {
  readonly p50: number;
  readonly p99: number;
  readonly rate: number;
}

/** Compares by wall time. Of three runs it returns the run in which the base was fastest, which was disturbed least. */
export async function compareRpc(
  base: string,
  clients: Readonly<Record<string, RpcClient>>,
  requests: number,
): Promise<RpcComparison> {
  for (let time = 0; time < WARM_UPS; time++) {
    for (const client of Object.values(clients)) await sample(client, requests);
  }
  let best: RpcComparison | undefined;
  for (let run = 0; run < RUNS; run++) {
    const result = await once(clients, requests);
    if (best === undefined || result.p50(base) < best.p50(base)) best = result;
  }
  return best as RpcComparison;
}

async function once(clients: Readonly<Record<string, RpcClient>>, requests: number): Promise<RpcComparison> {
  const names = Object.keys(clients);
  const samples = new Map<string, Sample[]>(names.map((name) => [name, []]));
  for (const client of Object.values(clients)) await sample(client, requests);
  for (let round = 0; round < ROUNDS; round++) {
    for (let place = 0; place < names.length; place++) {
      const name = names[(place + round) % names.length] as string;
      samples.get(name)?.push(await sample(clients[name] as RpcClient, requests));
    }
  }
  const all = (name: string, metric: keyof Sample) => (samples.get(name) ?? []).map((each) => each[metric]);
  const ratio = (name: string, other: string, metric: keyof Sample) => {
    const others = all(other, metric);
    return median(all(name, metric).map((value, round) => value / (others[round] as number)));
  };
  return {
    p50: (name) => median(all(name, 'p50')),
    p99: (name) => median(all(name, 'p99')),
    rate: (name) => median(all(name, 'rate')),
    p50Ratio: (name, other) => ratio(name, other, 'p50'),
    rateRatio: (name, other) => ratio(name, other, 'rate'),
    isNoisy: (metric, names) => names.some((name) => spread(all(name, metric)) > NOISY),
  };
}

async function sample({ call }: RpcClient, requests: number): Promise<Sample> {
  const trips: number[] = [];
  for (let trip = 0; trip < TRIPS; trip++) {
    const start = performance.now();
    await call();
    trips.push((performance.now() - start) * 1000);
  }
  const start = performance.now();
  let left = requests;
  const ask = async () => {
    while (left-- > 0) await call();
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, ask));
  const rate = requests / ((performance.now() - start) / 1000);
  return { p50: quantile(trips, 0.5), p99: quantile(trips, 0.99), rate };
}
