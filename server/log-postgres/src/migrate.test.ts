/** Tables of earlier versions are brought up to date, with what is stored in them. */
import { randomUUID } from 'node:crypto';
import { postgresForTests } from '@proto/test-support/postgres-for-tests';
import { describe, expect, onTestFinished, test } from 'vitest';
import { migratePostgres, renewPostgres } from './migrate.ts';
import { connect, eventOf } from './nodes.test-support.ts';
import { openPostgresEventLog } from './postgres-event-log.ts';
import { migrateSchema, quoted, VERSION } from './schema.ts';

const server = postgresForTests({ fsync: 'off' });

/** A schema with the tables of a version, and a stream of two events in them. */
async function tablesOf(version: number) {
  const schema = `v${version}_${randomUUID()}`;
  const client = await connect(server().url);
  await migrateSchema(client, schema, version);
  await client.query(`SET search_path TO ${quoted(schema)}`);
  await client.query(`
    INSERT INTO streams (name, version, last, bytes, written_at) VALUES ('s', 2, 2, 4, 1);
    INSERT INTO events (stream, sequence, id, type, source, payload, bytes, created_at)
      SELECT streams.id, n, 'e' || n, 'user', 'client', '{}', 2, 1 FROM streams, generate_series(1, 2) AS n;
    INSERT INTO usage_changes VALUES (1, 4);
  `);
  return { schema, url: server().url };
}

describe.skipIf(!server.isInstalled)('tables of an earlier version', () => {
  test.each(Array.from({ length: VERSION - 1 }, (_, index) => index + 1))(
    'tables of version %i are refused, and are the same after a migration as tables that were made by it',
    async (version) => {
      const place = await tablesOf(version);
      const anew = { ...place, schema: `new_${randomUUID()}` };
      for (const work of [openPostgresEventLog, renewPostgres]) {
        const refused = await work(place).catch((error: unknown) => error);
        expect(refused).toMatchObject({ code: 'version', message: expect.stringContaining('sjp store migrate') });
      }
      await Promise.all([migratePostgres(place), migratePostgres(place), migratePostgres(anew)]);

      const log = await openPostgresEventLog({ ...place, maxAgeMs: Number.MAX_SAFE_INTEGER });
      onTestFinished(() => log.close());
      const ids = async () => (await log.read('s', 0)).events.map(({ id }) => id);
      expect(await ids()).toEqual(['e1', 'e2']);
      const long = 'x'.repeat(4000);
      await log.append('s', [eventOf('e2'), eventOf(long)]);
      expect(await ids()).toEqual(['e1', 'e2', long]);
      expect(log.identity).toMatch(/^[\da-f]{32}$/);
      expect(await log.commonWith('s', 'another')).toBe(0);
      expect(await columnsOf(place.schema)).toEqual(await columnsOf(anew.schema));
    },
  );

  test('another name for the log keeps what its streams have in common with each name before', async () => {
    const place = await tablesOf(1);
    await migratePostgres(place);
    const names: string[] = [];
    for (const id of ['e3', 'e4', 'e5']) {
      await using log = await openPostgresEventLog({ ...place, maxAgeMs: Number.MAX_SAFE_INTEGER });
      expect(await Promise.all(names.map((name) => log.commonWith('s', name)))).toEqual(names.map((_, n) => n + 3));
      names.push(log.identity);
      await log.append('s', [eventOf(id)]);
      await renewPostgres(place);
    }
    expect(new Set(names).size).toBe(3);
  });
});

async function columnsOf(schema: string) {
  const client = await connect(server().url);
  const { rows } = await client.query(
    `SELECT table_name, column_name, data_type, is_nullable FROM information_schema.columns WHERE table_schema = $1
     ORDER BY table_name, ordinal_position`,
    [schema],
  );
  return rows;
}
