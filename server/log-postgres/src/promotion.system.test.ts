/** A primary that is lost, and its standby that takes its place. */
import { once } from 'node:events';
import { type AddressInfo, connect as connectTo, createServer, type Socket } from 'node:net';
import { hasPostgres, startPostgres } from '@proto/test-support/postgres';
import { expect, onTestFinished, test, vi } from 'vitest';
import { eventOf, idsOf, openNodes } from './nodes.test-support.ts';

/** The address that clients know, in front of the present primary. */
async function addressOf(port: number) {
  let target = port;
  const open = new Set<Socket>();
  const proxy = createServer((client) => {
    const far = connectTo(target, '127.0.0.1');
    for (const [one, other] of [
      [client, far],
      [far, client],
    ] as const) {
      open.add(one);
      one.on('error', () => {}).once('close', () => (open.delete(one), other.destroy()));
    }
    client.pipe(far).pipe(client);
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const leave = () => open.forEach((socket) => void socket.destroy());
  onTestFinished(() => {
    proxy.close();
    leave();
  });
  return {
    port: (proxy.address() as AddressInfo).port,
    moveTo(next: number) {
      target = next;
      leave();
    },
  };
}

test.skipIf(!hasPostgres())(
  'when a synchronous standby is promoted, it has all that was acknowledged, no epoch is given twice, and the writes of a former owner are fenced',
  { timeout: 60_000 },
  async () => {
    const primary = await startPostgres({ synchronous_standby_names: '*' });
    onTestFinished(() => primary[Symbol.asyncDispose]());
    const standby = await primary.standby();
    onTestFinished(() => standby[Symbol.asyncDispose]());
    const address = await addressOf(primary.port);
    const url = primary.url.replace(String(primary.port), String(address.port));
    const warnings: unknown[] = [];
    const { nodes } = await openNodes(2, { url, onWarning: (warning) => warnings.push(warning) });
    expect(warnings).toEqual([]);
    const [log, other] = nodes;
    const { epoch } = await log.claim('s', 'a', 500);
    const acknowledged: string[] = [];
    let isOver = false;
    const writing = (async () => {
      while (!isOver) {
        const id = `${acknowledged.length}`;
        expect(await log.append('s', [eventOf(id)], { epoch })).toMatchObject([{ duplicate: false }]);
        acknowledged.push(id);
      }
    })();
    await vi.waitFor(() => expect(acknowledged.length).toBeGreaterThan(20));
    await primary.crash();
    await standby.promote();
    address.moveTo(standby.port);
    const before = acknowledged.length;
    await vi.waitFor(() => expect(acknowledged.length).toBeGreaterThan(before + 5), { timeout: 20_000 });
    isOver = true;
    await writing;
    expect(await idsOf(other, 's')).toEqual(acknowledged);
    const next = await vi.waitFor(async () => {
      const claimed = await other.claim('s', 'b', 10_000);
      expect(claimed.heldBy).toBeUndefined();
      return claimed;
    });
    expect(next.epoch).toBeGreaterThan(epoch as number);
    await expect(log.append('s', [eventOf('late')], { epoch })).rejects.toMatchObject({ code: 'fenced' });
  },
);

test.skipIf(!hasPostgres())('a standby that no write waits for is reported', { timeout: 60_000 }, async () => {
  const primary = await startPostgres();
  onTestFinished(() => primary[Symbol.asyncDispose]());
  const standby = await primary.standby();
  onTestFinished(() => standby[Symbol.asyncDispose]());
  await vi.waitFor(
    async () => {
      const warnings: unknown[] = [];
      await openNodes(1, { url: primary.url, onWarning: (warning) => warnings.push(warning) });
      expect(warnings).toMatchObject([{ setting: 'synchronous_standby_names', value: '' }]);
    },
    { timeout: 20_000 },
  );
});
