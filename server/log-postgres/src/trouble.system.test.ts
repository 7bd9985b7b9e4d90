/** What a database does to its clients: locks, deadlocks, timeouts, a limit of connections, connections that break. */
import { postgresForTests } from '@proto/test-support/postgres-for-tests';
import { describe, expect, test, vi } from 'vitest';
import { connect, eventOf, idsOf, openNodes } from './nodes.test-support.ts';

const MAX_CONNECTIONS = 12;
const server = postgresForTests({
  deadlock_timeout: '3s',
  default_transaction_isolation: 'serializable',
  max_connections: String(MAX_CONNECTIONS),
  superuser_reserved_connections: '0',
});

/** Two streams whose writes are in one lane, and so in one statement. */
const [FIRST, SECOND] = ['a', 'e'] as const;

describe.skipIf(!server.isInstalled)('trouble with PostgreSQL', () => {
  test('a write that the server ends because of a deadlock is made again, once', { timeout: 20_000 }, async () => {
    const { url } = server();
    const { nodes, schema } = await openNodes(1, { url });
    const [log] = nodes;
    for (const stream of [FIRST, SECOND]) await log.append(stream, [eventOf('before')]);
    const other = await connect(url);
    const lock = (name: string) => other.query(`SELECT FROM "${schema}".streams WHERE name = $1 FOR UPDATE`, [name]);
    // The other client never ends a deadlock, so PostgreSQL ends the statement of the node.
    await other.query(`SET deadlock_timeout = '1h'`);
    await other.query('BEGIN ISOLATION LEVEL READ COMMITTED');
    await lock(SECOND);
    const writes = [FIRST, SECOND].map((stream) => log.append(stream, [eventOf('x')]));
    const watcher = await connect(url);
    const waiting = async () =>
      (await watcher.query(`SELECT FROM pg_stat_activity WHERE application_name = 'sjp' AND wait_event_type = 'Lock'`))
        .rowCount;
    await vi.waitFor(async () => expect(await waiting()).toBe(1), { timeout: 2500, interval: 5 });
    await lock(FIRST);
    await other.query('COMMIT');
    expect((await Promise.all(writes)).flat()).toMatchObject([
      { sequence: 2, duplicate: false },
      { sequence: 2, duplicate: false },
    ]);
    for (const stream of [FIRST, SECOND]) expect(await idsOf(log, stream)).toEqual(['before', 'x']);
    await vi.waitFor(async () => {
      const { rows } = await watcher.query('SELECT sum(deadlocks)::int AS deadlocks FROM pg_stat_database');
      expect(rows[0].deadlocks).toBe(1);
    });
  });

  test('a server whose transactions are serializable by default refuses no write of several nodes', async () => {
    const { nodes } = await openNodes(2, { url: server().url, maxConnections: 4 });
    const ids = Array.from({ length: 60 }, (_, n) => `${n}`);
    const writes = ids.flatMap((id) => nodes.map((node) => node.append('s', [eventOf(id)])));
    const claims = ids.flatMap((id) => nodes.map((node, at) => node.claim(`c${Number(id) % 3}`, `n${at}`, 1000)));
    const results = (await Promise.all(writes)).flat();
    await Promise.all(claims);
    expect(results.filter(({ duplicate }) => !duplicate)).toHaveLength(ids.length);
    expect((await idsOf(nodes[0], 's')).toSorted()).toEqual(ids.toSorted());
  });

  test('a statement that takes too long rejects as failed, and may be repeated', async () => {
    const { url } = server();
    const { nodes, schema } = await openNodes(1, { url, statementTimeoutMs: 200 });
    const [log] = nodes;
    await log.append('s', [eventOf('a')]);
    const other = await connect(url);
    await other.query('BEGIN');
    await other.query(`SELECT FROM "${schema}".streams FOR UPDATE`);
    await expect(log.append('s', [eventOf('b')])).rejects.toMatchObject({
      code: 'failed',
      message: expect.stringContaining('57014'),
    });
    await other.query('ROLLBACK');
    expect(await log.append('s', [eventOf('a'), eventOf('b')])).toMatchObject([
      { sequence: 1, duplicate: true },
      { sequence: 2, duplicate: false },
    ]);
  });

  test('with one connection, everything waits for its turn', async () => {
    const { nodes } = await openNodes(1, { url: server().url, maxConnections: 1 });
    const [log] = nodes;
    const streams = Array.from({ length: 40 }, (_, n) => `s${n}`);
    await Promise.all(
      streams.flatMap((stream) => [
        log.append(stream, [eventOf('x')]),
        log.writeDocument(stream, 'd', stream),
        log.claim(stream, 'node', 1000),
        log.read(stream, 0),
        log.usage(),
      ]),
    );
    for (const stream of streams) expect(await idsOf(log, stream)).toEqual(['x']);
  });

  test('a write waits for a server that has no connection left', async () => {
    const { url } = server();
    const { nodes } = await openNodes(1, { url, maxConnections: 1 });
    const [log] = nodes;
    const admin = await connect(url);
    // The connection of the node is ended, and all other connections are in use.
    await admin.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'sjp'`);
    const others = [];
    for (let n = 0; n < MAX_CONNECTIONS; n++) {
      const other = await connect(url).catch(() => undefined);
      if (other !== undefined) others.push(other);
    }
    await expect(log.read('s', 0)).rejects.toMatchObject({ code: 'failed', message: expect.stringContaining('53300') });
    const write = log.append('s', [eventOf('x')]);
    await Promise.all(others.map((other) => other.end()));
    expect(await write).toMatchObject([{ sequence: 1, duplicate: false }]);
  });

  test('one connection listens for all readers of a node, and readers go on when it breaks', async () => {
    const { url } = server();
    const { nodes } = await openNodes(2, { url, maxConnections: 2 });
    const [writer, reader] = nodes;
    const admin = await connect(url);
    const listening = async () => {
      const { rows } = await admin.query<{ pid: number }>(
        `SELECT pid FROM pg_stat_activity WHERE query LIKE 'LISTEN %' AND application_name = 'sjp'`,
      );
      return rows.map(({ pid }) => pid);
    };
    const leaving = new AbortController();
    const streams = ['a', 'b', 'c'];
    const readers = streams.map((stream) => reader.tail(stream, 0, leaving.signal)[Symbol.asyncIterator]());
    const hints = readers.map((hint) => hint.next());
    await vi.waitFor(async () => expect(await listening()).toHaveLength(1));
    const [before] = await listening();
    await admin.query('SELECT pg_terminate_backend($1)', [before]);
    for (const stream of streams) await writer.append(stream, [eventOf('x')]);
    expect(await Promise.all(hints)).toEqual(streams.map(() => ({ done: false, value: 1 })));
    await vi.waitFor(async () => {
      const present = await listening();
      expect(present).toHaveLength(1);
      expect(present).not.toContain(before);
    });
    const more = readers.map((hint) => hint.next());
    for (const stream of streams) await writer.append(stream, [eventOf('y')]);
    expect(await Promise.all(more)).toEqual(streams.map(() => ({ done: false, value: 2 })));
    leaving.abort();
  });
});
