/** Misuses the sockets of an ingress: no client can end the process, disturb other clients, or leak resources. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { encodeBatch, flattenIncoming, type Incoming, type Transport } from '@proto/core/transport';
import { verifies } from '@proto/test-support/verifies';
import { startFaultProxy } from '@proto/testkit';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { startIngress, TOKENS } from '../remote/remote-session.ts';
import { activeResources } from './active-resources.test-support.ts';
import { makeSession, type RemoteSession, viewerBySocket, workerBySocket } from '../remote/remote-pair.ts';

const failures: unknown[] = [];
const server = await startIngress(undefined, 0, { onError: (error) => failures.push(error) });
afterAll(() => server.close());
let session: RemoteSession;
beforeEach(async () => {
  session = await makeSession(server.url);
});

const QUICK = { baseMs: 1, capMs: 5 };

/** Collects the numbers of the messages that arrive. */
function collect(transport: Transport): unknown[] {
  const numbers: unknown[] = [];
  void (async () => {
    for await (const item of flattenIncoming(transport.incoming))
      if (item.kind === 'message') numbers.push(numberOf(item));
  })().catch(() => {});
  return numbers;
}

const openSockets = () => process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap').length;

const numberOf = (item: Incoming) => (item.kind === 'message' ? item.read().message?.['n'] : undefined);
const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

verifies('SERVER-5', 'malformed upgrades, and garbage after a valid upgrade, do not disturb the server', async () => {
  const paths = [`/v1/sessions/ws/${session.id}/subscribe`, `/v1/session_ingress/ws/${session.id}`, '/'];
  const upgrade = ['Upgrade: websocket', 'Connection: Upgrade'];
  const key = 'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==';
  const heads = [
    [],
    upgrade,
    [...upgrade, 'Sec-WebSocket-Key: short', 'Sec-WebSocket-Version: 13'],
    [...upgrade, key, 'Sec-WebSocket-Version: 1'],
    [...upgrade, key, 'Sec-WebSocket-Version: 13', 'Sec-WebSocket-Protocol: ,,;'],
    ['Upgrade: other', 'Connection: Upgrade'],
    [...upgrade, key, 'Sec-WebSocket-Version: 13', `Authorization: Bearer ${TOKENS.driver}`],
  ];
  const garbage = '\xff\xff\xff\xff garbage instead of a frame';
  for (const path of paths) {
    for (const head of heads) {
      const raw = connect(Number(new URL(server.url).port), '127.0.0.1').on('error', () => {});
      const lines = [`GET ${path} HTTP/1.1`, 'Host: 127.0.0.1', ...head];
      raw.end(Buffer.from(`${lines.join('\r\n')}\r\n\r\n${garbage}`, 'latin1'));
      raw.resume();
      await once(raw, 'close');
    }
  }
  const viewer = viewerBySocket(Promise.resolve(session));
  const numbers = collect(viewer);
  await viewer.send(encodeBatch({ type: 'user', n: 1 }));
  const other = viewerBySocket(Promise.resolve(session));
  const received = collect(other);
  await vi.waitFor(() => expect(received).toEqual([1]));
  expect(numbers).toEqual([]);
  await Promise.all([viewer.close(), other.close()]);
  expect(failures).toEqual([]);
});

verifies(
  ['SERVER-5', 'LINK-1'],
  'a thousand reconnects through the log leak nothing and lose no message in either direction',
  async () => {
    const rounds = 1000;
    await using proxy = await startFaultProxy(server.url);
    const worker = workerBySocket(Promise.resolve(session));
    await worker.opened;
    const here = { ...session, url: session.url.replace(server.url, proxy.url) };
    const before = process.getActiveResourcesInfo().length;
    const socketsBefore = openSockets();
    const viewer = viewerBySocket(Promise.resolve(here), QUICK);
    const there = collect(worker);
    const numbers: unknown[] = [];
    await viewer.opened;
    proxy.cut('rst');
    let n = 0;
    for await (const item of flattenIncoming(viewer.incoming)) {
      if (item.kind === 'message') numbers.push(numberOf(item));
      if (item.kind !== 'link') continue;
      if (item.state === 'down') {
        n++;
        void viewer.send(encodeBatch({ type: 'user', n }));
        void worker.send(encodeBatch({ type: 'assistant', n }));
      } else if (n < rounds) proxy.cut('rst');
      if (n === rounds && item.state === 'up') break;
    }
    await vi.waitFor(() => expect(there).toHaveLength(rounds), { timeout: 10_000 });
    expect(there).toEqual(upTo(rounds));
    expect(numbers).toEqual(upTo(numbers.length));
    expect(numbers.length).toBeGreaterThan(rounds - 10);
    await viewer.closed;
    await vi.waitFor(() => expect(openSockets()).toBeLessThanOrEqual(socketsBefore), { timeout: 10_000 });
    expect(await activeResources(before)).toBeLessThanOrEqual(before);
    await worker.close();
  },
  { timeout: 120_000 },
);

test('of two processes with the token of one worker, the later one works; the earlier one gets an error and does not reconnect', async () => {
  const first = workerBySocket(Promise.resolve(session), QUICK);
  await first.opened;
  const second = workerBySocket(Promise.resolve(session), QUICK);
  await second.opened;
  expect(await first.closed).toMatchObject({ status: 4090, error: { code: 'rejected', retryable: false } });
  const viewer = viewerBySocket(Promise.resolve(session));
  const [received, read] = [collect(viewer), collect(second)];
  await second.send(encodeBatch({ type: 'assistant', n: 1 }));
  await viewer.send(encodeBatch({ type: 'user', n: 2 }));
  await vi.waitFor(() => expect([received, read]).toEqual([[1], [2]]));
  await Promise.all([viewer.close(), second.close()]);
});

test('a hundred viewers that connect and leave at once do not disturb other clients', async () => {
  const staying = viewerBySocket(Promise.resolve(session));
  const received = collect(staying);
  await staying.opened;
  const worker = workerBySocket(Promise.resolve(session));
  for (let n = 1; n <= 10; n++) {
    const going = Array.from({ length: 10 }, () => viewerBySocket(Promise.resolve(session)));
    void worker.send(encodeBatch({ type: 'assistant', n }));
    for (const [index, viewer] of going.entries()) {
      if (index % 2 === 0) viewer.abort();
      else void viewer.opened.then(() => viewer.close());
    }
    await Promise.all(going.map(({ closed }) => closed));
  }
  await vi.waitFor(() => expect(received).toEqual(upTo(10)));
  await Promise.all([staying.close(), worker.close()]);
  expect(failures).toEqual([]);
});
