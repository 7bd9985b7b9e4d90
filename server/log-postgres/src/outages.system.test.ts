import { postgresForTests } from '@proto/test-support/postgres-for-tests';
import { expect, test, vi } from 'vitest';
import { eventOf, idsOf, openNodes } from './nodes.test-support.ts';

const server = postgresForTests();

test.skipIf(!server.isInstalled)(
  'crashes of the server under load lose nothing, store nothing twice, and no writer takes its own event for a duplicate',
  async () => {
    const { nodes } = await openNodes(3, { url: server().url });
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
    const { nodes } = await openNodes(2, { url: server().url });
    const [writer, reader] = nodes;
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
    const { nodes } = await openNodes(1, { url: server().url, retryMs: 300 });
    const [log] = nodes;
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
