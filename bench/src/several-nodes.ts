import { cpus } from 'node:os';
import { hasPostgres, startPostgres, type TemporaryPostgres } from '@proto/test-support/postgres';
import { Agent, request } from 'undici';
import { type Cluster, type ClusterSession, cpuOfDatabase, makeSession, startCluster } from './ingress/cluster.ts';
import { workerBodies } from './ingress/posts.ts';
import { watchSession } from './ingress/append-to-viewer.ts';
import { median, spread } from './measure.ts';
import { report } from './report.ts';

const NODES = 3;
const SESSIONS = 24;
const LIST = 20;
const ROUNDS = 5;
const WARM_UPS = 2;
const EVENTS = 16_000;
const SINGLE_EVENTS = 2400;
const PASSES = 40;
const PASS_ROUNDS = 10;
const NOISY = 0.15;

/**
 * Three nodes on one PostgreSQL database, with requests that arrive at any node: measures the events per second, their cost, and the delay until a
 * viewer receives them.
 */
export async function severalNodes(): Promise<void> {
  if (!hasPostgres()) {
    console.log('PostgreSQL is not available as a package for this platform: several nodes are not measured');
    return;
  }
  await using server = await startPostgres();
  const three = await startCluster(server, NODES);
  await throughput(server, three);
  const one = await startCluster(server, 1);
  await latency(three, one);
  for (const cluster of [three, one]) cluster.close();
}

interface Sample {
  readonly perSecond: number;
  /** The CPU time for each event, in microseconds. */
  readonly nodes: number;
  readonly database: number;
  readonly clients: number;
}

async function throughput(server: TemporaryPostgres, cluster: Cluster): Promise<void> {
  const sessions: ClusterSession[] = [];
  for (let n = 0; n < SESSIONS; n++) sessions.push(await makeSession(cluster, n % NODES));
  const dispatcher = new Agent({ connections: SESSIONS });
  const measure = async (events: number, list: number): Promise<Sample> => {
    const bodies = workerBodies(events / list, list);
    const before = { ...(await cpuBy(server, cluster)), at: performance.now() };
    await postAll({ dispatcher, cluster, sessions, bodies });
    const seconds = (performance.now() - before.at) / 1000;
    const after = await cpuBy(server, cluster);
    const each = (name: keyof typeof after) => (after[name] - before[name]) / events;
    return {
      perSecond: events / seconds,
      nodes: each('nodes'),
      database: each('database'),
      clients: each('clients'),
    };
  };
  for (const [name, events, list, goal] of [
    [`POSTs of ${LIST} events`, EVENTS, LIST, 8000],
    ['POSTs of one event', SINGLE_EVENTS, 1, undefined],
  ] as const) {
    const samples: Sample[] = [];
    for (let round = -WARM_UPS; round < ROUNDS; round++) {
      const sample = await measure(events, list);
      if (round >= 0) samples.push(sample);
    }
    const rates = samples.map(({ perSecond }) => perSecond);
    const cost = (of: keyof Sample) => `${median(samples.map((sample) => sample[of])).toFixed(0)} us`;
    report({
      id: 'I5',
      case: `${NODES} nodes, ${name}, durable events a second`,
      metric: 'per second',
      value: Math.round(median(rates)),
      ...(goal !== undefined && { goal }),
      base: `wall time, ${cpus().length} cores`,
      noisy: spread(rates) > NOISY,
      note: `CPU an event: nodes ${cost('nodes')}, PostgreSQL ${cost('database')}, clients ${cost('clients')}`,
    });
  }
  await dispatcher.close();
}

async function cpuBy(server: TemporaryPostgres, cluster: Cluster) {
  const { user, system } = process.cpuUsage();
  const nodes = (await cluster.cpu()).reduce((sum, time) => sum + time, 0);
  return { nodes, database: cpuOfDatabase(server), clients: user + system };
}

interface Posts {
  readonly dispatcher: Agent;
  readonly cluster: Cluster;
  readonly sessions: readonly ClusterSession[];
  readonly bodies: readonly string[];
}

/** Each session has one request in progress, like the session's worker. Each request goes to the next node, no matter which node owns the session. */
async function postAll({ dispatcher, cluster, sessions, bodies }: Posts): Promise<void> {
  let next = 0;
  const send = async ({ path, worker }: ClusterSession) => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${worker}` };
    while (next < bodies.length) {
      const node = cluster.nodes[next % cluster.nodes.length] as string;
      const body = bodies[next++] as string;
      const answer = await request(`${node}${path}/worker/events`, { dispatcher, method: 'POST', headers, body });
      if (answer.statusCode !== 200) throw new Error(`${answer.statusCode} ${await answer.body.text()}`);
      await answer.body.dump();
    }
  };
  await Promise.all(sessions.map(send));
}

/** The time from the POST of an event until the viewer receives it, one event at a time. */
async function latency(three: Cluster, one: Cluster): Promise<void> {
  const total = (PASS_ROUNDS + WARM_UPS) * PASSES;
  const watched = async (cluster: Cluster, node: number) =>
    watchSession({
      viewAt: cluster.nodes[node] as string,
      postTo: cluster.nodes,
      driver: cluster.driver,
      session: await makeSession(cluster, 0),
      events: total,
    });
  // The first node owns the session. The viewer is connected to another node, and the events are posted to each node in turn.
  const sides = { three: await watched(three, 1), one: await watched(one, 0) };
  const times = { three: [] as number[], one: [] as number[] };
  for (let round = -WARM_UPS; round < PASS_ROUNDS; round++) {
    for (let n = 0; n < PASSES; n++) {
      for (const name of ['three', 'one'] as const) {
        const began = performance.now();
        await sides[name].pass();
        if (round >= 0) times[name].push(performance.now() - began);
      }
    }
  }
  for (const side of Object.values(sides)) side.close();
  const [ours, limit] = [median(times.three), median(times.one)];
  report({
    id: 'I6',
    case: `${NODES} nodes, from a POST to a viewer, p50`,
    metric: 'ratio',
    value: ours / limit,
    goal: 1.3,
    base: 'one node on the same PostgreSQL',
    atMost: true,
    figures: { limit: `${limit.toFixed(2)} ms`, ours: `${ours.toFixed(2)} ms` },
    note: `one node ${limit.toFixed(2)} ms, ${NODES} nodes ${ours.toFixed(2)} ms`,
  });
}
