import { createHash } from 'node:crypto';
import { postgresForTests } from '@proto/test-support/postgres-for-tests';
import { expect, test } from 'vitest';
import { connect, eventOf, openNodes } from './nodes.test-support.ts';

const server = postgresForTests();

const FORGED = ['["s",1e15]', 'garbage', '[', 'null', '5', '["s",-1]', '"s"', '{"s":1e15}', '"s"\n["s",1e15]\n"', ''];

test.skipIf(!server.isInstalled)(
  'notifications that others forge neither end a process nor silence a reader',
  async () => {
    const { url } = server();
    const { nodes, schema } = await openNodes(1, { url });
    const [node] = nodes;
    const leaving = new AbortController();
    const hints = node.tail('s', 0, leaving.signal)[Symbol.asyncIterator]();
    await node.append('s', [eventOf('a')]);
    expect((await hints.next()).value).toBe(1);

    const forger = await connect(url);
    const channel = `sjp_${createHash('sha256').update(schema).digest('hex').slice(0, 32)}`;
    // The node starts to listen when it has its first reader, but with a delay.
    const isListening = "SELECT 1 FROM pg_stat_activity WHERE query LIKE 'LISTEN%'";
    while ((await forger.query(isListening)).rowCount === 0);
    for (const payload of FORGED) await forger.query('SELECT pg_notify($1, $2)', [channel, payload]);
    for (const [index, id] of ['b', 'c'].entries()) {
      const next = hints.next();
      await node.append('s', [eventOf(id)]);
      expect((await next).value).toBe(index + 2);
    }
    leaving.abort();
  },
);
