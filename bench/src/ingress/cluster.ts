import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { migratePostgres } from '@proto/log-postgres';
import { freePort } from '@proto/test-support/free-port';
import type { TemporaryPostgres } from '@proto/test-support/postgres';
import type { ClusterNodeOptions } from '../cases/cluster-node.ts';
import { cpuOf, startProcess } from '../server-child.ts';

/** Nodes on one database, each a process. */
export interface Cluster {
  /** The address of each node. */
  readonly nodes: readonly string[];
  readonly driver: string;
  /** The CPU time of each node so far, in microseconds. */
  cpu(): Promise<readonly number[]>;
  close(): void;
}

/** A session, and who writes to it. */
export interface ClusterSession {
  /** The path of the session. */
  readonly path: string;
  /** The token of the worker that has the lease. */
  readonly worker: string;
}

const DRIVER = 'driver-token-0123456789';

/** Starts this many nodes, on new tables. */
export async function startCluster(server: TemporaryPostgres, count: number): Promise<Cluster> {
  const schema = randomUUID();
  await migratePostgres({ url: server.url, schema });
  const children: ChildProcess[] = [];
  const nodes: string[] = [];
  for (let n = 0; n < count; n++) {
    const port = await freePort();
    const isShared = count > 1;
    const options: ClusterNodeOptions = { database: server.url, schema, port, driver: DRIVER, isShared };
    children.push((await startProcess('cluster-node', JSON.stringify(options))).child);
    nodes.push(`http://127.0.0.1:${port}`);
  }
  return {
    nodes,
    driver: DRIVER,
    cpu: () => Promise.all(children.map(cpuOf)),
    close() {
      for (const child of children) child.disconnect();
    },
  };
}

/** Creates a session, which belongs to the first node that receives a request for it. */
export async function makeSession(cluster: Cluster, node: number): Promise<ClusterSession> {
  const post = async (path: string) => {
    const headers = { authorization: `Bearer ${cluster.driver}` };
    const answer = await fetch(`${cluster.nodes[node]}/v1/code/sessions${path}`, { method: 'POST', headers });
    if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`);
    return (await answer.json()) as { readonly session: { readonly id: string }; readonly worker_jwt: string };
  };
  const { session } = await post('');
  const { worker_jwt: worker } = await post(`/${session.id}/bridge`);
  return { path: `/v1/code/sessions/${session.id}`, worker };
}

/** Linux counts CPU time in ticks of 10 ms. */
const TICK_US = 10_000;

/** The CPU time so far of a database and its child processes, in microseconds. 0 except on Linux, because other systems do not report it. */
export function cpuOfDatabase({ pid }: TemporaryPostgres): number {
  if (process.platform !== 'linux') return 0;
  let ticks = 0;
  for (const name of readdirSync('/proc')) {
    const stat = /^\d+$/.test(name) ? statOf(name) : undefined;
    if (stat === undefined) continue;
    if (name === String(pid)) ticks += stat.own + stat.ofEndedChildren;
    else if (stat.parent === pid) ticks += stat.own;
  }
  return ticks * TICK_US;
}

function statOf(name: string) {
  let text: string;
  try {
    text = readFileSync(`/proc/${name}/stat`, 'utf8');
  } catch {
    // The process has ended since the folder was read.
    return undefined;
  }
  // The name of the program is in brackets, and may contain spaces.
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [parent, user, system, endedUser, endedSystem] = [1, 11, 12, 13, 14].map((at) => fields[at] as number);
  return {
    parent,
    own: (user as number) + (system as number),
    ofEndedChildren: (endedUser as number) + (endedSystem as number),
  };
}
