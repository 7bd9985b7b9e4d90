import { randomUUID } from 'node:crypto';
import type { EventLog, EventLogOptions } from '@proto/ingress/event-log';
import { testEventLog } from '@proto/ingress/vitest';
import { migratePostgres } from './migrate.ts';
import { openPostgresEventLog } from './postgres-event-log.ts';
import { postgresForTests } from '@proto/test-support/postgres-for-tests';

const server = postgresForTests();
const schemas = new WeakMap<EventLog, string>();

async function openIn(schema: string, options: EventLogOptions): Promise<EventLog> {
  const log = await openPostgresEventLog({ ...options, url: server().url, schema });
  schemas.set(log, schema);
  return log;
}

const openAgain = (log: EventLog, options: EventLogOptions) => openIn(schemas.get(log) as string, options);

if (server.isInstalled) {
  testEventLog({
    name: 'PostgreSQL',
    async open(options) {
      const schema = randomUUID();
      await migratePostgres({ url: server().url, schema });
      return openIn(schema, options);
    },
    reopen: openAgain,
    another: openAgain,
  });
}
