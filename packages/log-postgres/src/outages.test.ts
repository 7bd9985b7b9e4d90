import { randomUUID } from 'node:crypto';
import type { EventLog } from '@proto/ingress/event-log';
import { expect, onTestFinished, test, vi } from 'vitest';
import { migratePostgres } from './migrate.ts';
import { openPostgresEventLog } from './postgres-event-log.ts';
import { postgresForTests } from '@proto/test-support/postgres-for-tests';

const server = postgresForTests();

async function openNodes(count: number, retryMs?: number): Promise<EventLog[]> {
  const schema = randomUUID();
  const { url } = server();
  await migratePostgres({ url, schema });
  const open = () => openPostgresEventLog({ url, schema, ...(retryMs !== undefined && { retryMs }) });
  const nodes = await Promise.all(Array.from({ length: count }, open));
  onTestFinished(async () => void (await Promise.all(nodes.map((node) => node.close()))));
  return nodes;
}

const eventOf = (id: string) => ({ id, type: 'user', source: 'client', payload: JSON.stringify(id) });

async function idsOf(log: EventLog, stream: string): Promise<string[]> {
  const ids: string[] = [];
  for (let after = 0; ; ) {
    const { events, last } = await log.read(stream, after);
    ids.push(...events.map(({ id }) => id));
    after = events.at(-1)?.sequence ?? last;
    if (after >= last) return ids;
  }
}

test.skipIf(!server.isInstalled)(
  'crashes of the server under load lose nothing, store nothing twice, and no writer takes its own event for a duplicate',
  async () => {
    const nodes = await openNodes(3);
    let isOver = false;
    const streams = nodes.flatMap((node, index) =>
      [`own-${index}`, 'shared'].map((stream) => ({ node, index, stream, written: [] as string[] })),
    );
    const writers = streams.map(async ({ node, index, stream, written }) => {
      while (!isOver) {
        const id = `${index}-${written.length}`;
        const [appended] = await node.append(stream, [eventOf(id)]);
        expect(appended).toMatchObject({ id, duplicate: false });
        written.push(id);
      }
    });
    const allGoOn = async () => {
      const before = streams.map(({ written }) => written.length);
      const haveMore = () => streams.every(({ written }, at) => written.length >= (before[at] as number) + 3);
      await vi.waitFor(() => expect(haveMore()).toBe(true), { timeout: 15_000 });
    };
    for (let crashes = 0; crashes < 3; crashes++) {
      await allGoOn();
      await server().crash();
      await server().start();
    }
    await allGoOn();
    isOver = true;
    await Promise.all(writers);
    for (const { node, index, stream, written } of streams) {
      const ids = await idsOf(node, stream);
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids.filter((id) => id.startsWith(`${index}-`))).toEqual(written);
    }
  },
);

test.skipIf(!server.isInstalled)(
  'readers go on after a crash of the server, and learn what other nodes write',
  async () => {
    const [writer, reader] = (await openNodes(2)) as [EventLog, EventLog];
    const leaving = new AbortController();
    const hints = reader.tail('s', 0, leaving.signal)[Symbol.asyncIterator]();
    await writer.append('s', [eventOf('a')]);
    expect(await hints.next()).toEqual({ done: false, value: 1 });
    await server().crash();
    await server().start();
    await writer.append('s', [eventOf('b')]);
    expect(await hints.next()).toEqual({ done: false, value: 2 });
    leaving.abort();
    expect((await hints.next()).done).toBe(true);
  },
);

test.skipIf(!server.isInstalled)(
  'a server that stays away rejects writes as failed, and they can be repeated',
  async () => {
    const [log] = (await openNodes(1, 300)) as [EventLog];
    await log.append('s', [eventOf('a')]);
    await server().stop();
    await expect(log.append('s', [eventOf('b')])).rejects.toMatchObject({ code: 'failed' });
    await expect(log.read('s', 0)).rejects.toMatchObject({ code: 'failed' });
    await server().start();
    expect(await log.append('s', [eventOf('a'), eventOf('b')])).toMatchObject([
      { sequence: 1, duplicate: true },
      { sequence: 2, duplicate: false },
    ]);
  },
);
