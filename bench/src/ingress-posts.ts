import { clientBodies, workerBodies } from './ingress/posts.ts';
import { type MeasuredServer, startSessionServer } from './ingress/session-server.ts';
import { median, spread } from './measure.ts';
import { report, type Row } from './report.ts';

const ROUNDS = 5;
const POSTS = 1500;
const LIST = 100;
const LISTS = 40;
/** Enough requests for V8 to compile the code. */
const WARM_UPS = 3;
const VIEWERS = 10;
const NOISY = 0.15;

type Sample = () => Promise<number>;

/** Measures the CPU time of a session server for a POST, relative to a server that only reads the body, and for each event of a longer POST. */
export async function ingressPosts(): Promise<void> {
  const [bare, memory, file] = [
    await startSessionServer('bare'),
    await startSessionServer('memory'),
    await startSessionServer('file'),
  ];
  await onePerPost({ bare, memory, file });
  await manyPerPost({ memory, file });
  await furtherViewers(memory);
  for (const server of [bare, memory, file]) server.close();
}

async function onePerPost({ bare, memory, file }: Readonly<Record<'bare' | 'memory' | 'file', MeasuredServer>>) {
  const samples = await rounds({
    bare: () => bare.post(workerBodies(POSTS, 1), '/', ''),
    worker: () => byWorker(memory, POSTS, 1),
    driver: () => memory.post(clientBodies(POSTS, 1), `${memory.address.session}/events`, memory.address.driver),
    file: () => byWorker(file, POSTS, 1),
  });
  const row = (of: 'worker' | 'driver' | 'file', name: string, goal?: number) => {
    const ratios = samples[of].map((value, round) => value / (samples.bare[round] as number));
    report({
      id: 'I1',
      case: `a POST of one event, ${name}`,
      metric: 'ratio',
      value: median(ratios),
      ...(goal !== undefined && { goal }),
      tol: 0.15,
      base: 'node:http',
      atMost: true,
      noisy: spread(ratios) > NOISY,
      figures: { limit: micros(samples.bare), ours: micros(samples[of]) },
      note: `node:http ${micros(samples.bare)}, ours ${micros(samples[of])}`,
    });
  };
  row('worker', 'memory, of a worker', 2);
  row('driver', 'memory, of a driver', 2);
  row('file', 'file, of a worker');
}

async function manyPerPost({ memory, file }: Readonly<Record<'memory' | 'file', MeasuredServer>>) {
  const samples = await rounds({
    memory: async () => (await byWorker(memory, LISTS, LIST)) / LIST,
    file: async () => (await byWorker(file, LISTS, LIST)) / LIST,
  });
  reportMicros(`a POST of ${LIST} events, memory, each event`, samples.memory, 30);
  reportMicros(`a POST of ${LIST} events, file, each event`, samples.file);
}

/** The cost that each further viewer adds to an event. */
async function furtherViewers(memory: MeasuredServer) {
  const post = async () => (await byWorker(memory, LISTS, LIST)) / LIST;
  const without = (await rounds({ post })).post;
  for (let n = 0; n < VIEWERS; n++) await memory.follow();
  const first = (await rounds({ post })).post;
  const each = (median(first) - median(without)) / VIEWERS;
  reportMicros('each viewer, each event of a longer POST', [each], 2);
}

function byWorker({ post, address }: MeasuredServer, posts: number, events: number): Promise<number> {
  return post(workerBodies(posts, events), `${address.session}/worker/events`, address.worker);
}

/** Takes one sample of each kind in every round. */
async function rounds<Name extends string>(kinds: Readonly<Record<Name, Sample>>): Promise<Record<Name, number[]>> {
  const names = Object.keys(kinds) as Name[];
  const samples = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  for (let round = -WARM_UPS; round < ROUNDS; round++) {
    for (const name of names) {
      const sample = await kinds[name]();
      if (round >= 0) samples[name].push(sample);
    }
  }
  return samples;
}

function reportMicros(name: string, samples: readonly number[], goal?: number): void {
  const row: Row = { id: 'I1', case: name, metric: 'us', value: median(samples), base: 'CPU time of the server' };
  report({ ...row, ...(goal !== undefined && { goal }), tol: 0.15, atMost: true, noisy: spread(samples) > NOISY });
}

function micros(samples: readonly number[]): string {
  return `${median(samples).toFixed(1)} us`;
}
