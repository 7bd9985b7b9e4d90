/** Tests that the work for an event does not grow with the tables. They count the rows that the server reads without an index. */
import { postgresForTests } from '@proto/test-support/postgres-for-tests';
import { describe, expect, test } from 'vitest';
import { connect, eventOf, openNodes } from './nodes.test-support.ts';

const server = postgresForTests();

/** More than a server reads as a whole by default, because that is cheaper than an index. */
const ROUNDS = 60;
const EXPIRIES = 3;

describe.skipIf(!server.isInstalled)('a table that grows', () => {
  test('is never read as a whole', async () => {
    let time = 1;
    const options = { url: server().url, now: () => time, maxAgeMs: 1000, maxBytes: 300 };
    const { nodes, schema } = await openNodes(1, options);
    const [node] = nodes;
    for (let round = 0; round < ROUNDS; round++) {
      time += 20;
      const session = `cse_${round}`;
      const { epoch } = await node.claim(session, 'here', 10_000);
      // The prepared statements are used with and without something to drop, and their plans are made while the tables are small.
      const events = Array.from({ length: 20 }, (_, n) => eventOf(`${round}:${n}`));
      await node.append(session, events, epoch === undefined ? {} : { epoch });
      await node.append(session, [eventOf(`${round}:0`)]);
      await node.append('all', [eventOf(`${round}`)]);
      await node.writeDocument(session, 'state', String(round));
      await node.read('all', 0);
      await node.find('all', `${round}`);
      await node.readDocument(session, 'state');
      await node.listStreams({ limit: 3 });
      if (round % (ROUNDS / EXPIRIES) === 0) await node.expire();
    }
    // A connection reports its counts to the server when it ends.
    await node.close();
    const client = await connect(server().url);
    const { rows } = await client.query<{ readonly table: string; readonly read: number; readonly added: number }>(
      `SELECT relname AS table, seq_tup_read::int AS read, n_tup_ins::int AS added FROM pg_stat_user_tables
       WHERE schemaname = $1 AND relname IN ('claims', 'documents', 'events', 'streams') ORDER BY relname`,
      [schema],
    );
    expect(Math.min(...rows.map(({ added }) => added))).toBeGreaterThanOrEqual(ROUNDS);
    const [claims, ...others] = rows;
    expect(others.map(({ table, read }) => ({ table, read }))).toEqual([
      { table: 'documents', read: 0 },
      { table: 'events', read: 0 },
      { table: 'streams', read: 0 },
    ]);
    // Only an expiry reads all claims. An index on their ends would have to change with each renewal.
    expect(claims?.read).toBeLessThanOrEqual(EXPIRIES * ROUNDS);
  });
});
