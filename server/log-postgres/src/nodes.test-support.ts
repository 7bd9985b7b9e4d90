/** Nodes on a database, for the tests of this package. */
import { randomUUID } from 'node:crypto';
import type { EventLog } from '@proto/ingress/event-log';
import pg from 'pg';
import { onTestFinished } from 'vitest';
import { migratePostgres } from './migrate.ts';
import { openPostgresEventLog, type PostgresEventLogOptions } from './postgres-event-log.ts';

/** Opens nodes on a new schema for the time of a test. */
export async function openNodes<Count extends 1 | 2 | 3>(
  count: Count,
  options: PostgresEventLogOptions,
): Promise<{ readonly nodes: Nodes[Count]; readonly schema: string }> {
  const schema = randomUUID();
  await migratePostgres({ ...options, schema });
  const nodes = await Promise.all(Array.from({ length: count }, () => openPostgresEventLog({ ...options, schema })));
  onTestFinished(async () => void (await Promise.all(nodes.map((node) => node.close()))));
  return { nodes: nodes as unknown as Nodes[Count], schema };
}

interface Nodes {
  readonly 1: readonly [EventLog];
  readonly 2: readonly [EventLog, EventLog];
  readonly 3: readonly [EventLog, EventLog, EventLog];
}

/** Connects to a database for the time of a test. */
export async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  onTestFinished(() => client.end().catch(() => {}));
  return client;
}

/** An event whose payload is its id. */
export const eventOf = (id: string) => ({ id, type: 'user', source: 'client', payload: JSON.stringify(id) });

/** The ids of all events of a stream. Fails if their sequence numbers are not dense. */
export async function idsOf(log: EventLog, stream: string): Promise<string[]> {
  const ids: string[] = [];
  for (let after = 0; ; ) {
    const { events, last } = await log.read(stream, after);
    for (const { id, sequence } of events) {
      if (sequence !== ids.push(id)) throw new Error(`${id} has the place ${sequence}, which is not the next one`);
    }
    after = events.at(-1)?.sequence ?? last;
    if (after >= last) return ids;
  }
}
