/** Tests of sides that read over a WebSocket and post what they send, where nothing that they send over a socket arrives. */
import { connectUri, encodeBatch, flattenIncoming, type Transport } from '@proto/core/transport';
import { createAccounts, createMemoryEventLog, listen } from '@proto/ingress';
import { hybridScheme } from '@proto/transport-sse';
import { undiciFetch } from '@proto/transport-sse/node';
import { webSocketScheme } from '@proto/transport-websocket';
import { openSocket } from '@proto/transport-websocket/node';
import { verifies } from '@proto/test-support/verifies';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startOneWaySockets } from './one-way-sockets.ts';
import { makeSession, workerBySocket } from './remote-pair.ts';
import { TOKENS } from './remote-session.ts';

const scheme = hybridScheme(webSocketScheme);
const FAST = { baseMs: 5, capMs: 20, silenceMs: 400, open: openSocket, fetch: undiciFetch() };
const until = (check: () => void) => vi.waitFor(check, { interval: 5, timeout: 20_000 });

/** A session on a server, and the way to it through a network without an outward direction of sockets. */
async function oneWaySession() {
  const accounts = await createAccounts([{ name: 'driver', role: 'driver', token: TOKENS.driver }]);
  const server = await listen({ log: createMemoryEventLog(), accounts, limits: { silenceMs: 200, keepaliveMs: 50 } });
  onTestFinished(() => server.close());
  const network = await startOneWaySockets(server.url);
  onTestFinished(() => network.close());
  const session = await makeSession(server.url);
  const here = (address: string) => address.replace(/127\.0\.0\.1:\d+/, new URL(network.url).host);
  const opened = (uri: string, credential: string, cursor?: string): Transport => {
    const transport = connectUri(uri, [scheme], { ...FAST, credential, ...(cursor !== undefined && { cursor }) });
    onTestFinished(() => transport.abort());
    return transport;
  };
  return {
    network,
    session,
    viewer: (cursor?: string) => opened(scheme.sessionUri(new URL(here(session.url))), TOKENS.driver, cursor),
    worker: () => opened(`hybrid+${here(session.workerSocket)}`, session.workerToken),
  };
}

/** The numbers of the messages that a transport yields, by their type, and whether a link lost any. */
function numbersOf(transport: Transport) {
  const seen: unknown[] = [];
  const gaps: unknown[] = [];
  void (async () => {
    for await (const item of flattenIncoming(transport.incoming)) {
      if (item.kind === 'message') seen.push(item.read().message?.['n']);
      else if (item.kind === 'link' && item.resumed === false) gaps.push(item);
    }
  })().catch(() => {});
  return { seen, gaps };
}

const numbered = (type: string, n: number) => encodeBatch({ type, n });
const counted = (count: number) => Array.from({ length: count }, (_, n) => n + 1);

verifies(
  ['LINK-1', 'QUEUE-14'],
  'nothing is lost or doubled when sockets break, are refused or lose their outward direction, and when answers to POST are lost',
  async () => {
    const { network, viewer, worker } = await oneWaySession();
    const [host, agent] = [viewer(), worker()];
    const [atHost, atAgent] = [numbersOf(host), numbersOf(agent)];
    await Promise.all([host.opened, agent.opened]);
    let sent = 0;
    const troubles = [
      () => {},
      () => network.cut(),
      () => (network.answers = false),
      () => ((network.answers = true), network.cut()),
      () => ((network.sockets = false), network.cut()),
      () => (network.sockets = true),
    ];
    for (const trouble of [...troubles, ...troubles]) {
      trouble();
      for (let n = 0; n < 5; n++) {
        sent++;
        void host.send(numbered('user', sent));
        void agent.send(numbered('assistant', sent));
      }
      // Half of a batch may be in transit when the next fault begins.
      if (network.answers && network.sockets) await until(() => expect(atAgent.seen.length).toBeGreaterThan(sent - 4));
    }
    await until(() => expect([atHost.seen, atAgent.seen]).toEqual([counted(sent), counted(sent)]));
    expect([atHost.gaps, atAgent.gaps]).toEqual([[], []]);
    expect(network.dropped).toBeGreaterThan(0);
    await Promise.all([host.close(), agent.close()]);
  },
);

test('a viewer does not get its messages back, gets no news of its answer, and goes on after a cursor', async () => {
  const { session, viewer } = await oneWaySession();
  const worker = workerBySocket(Promise.resolve(session));
  onTestFinished(() => worker.abort());
  const atWorker = numbersOf(worker);
  const first = viewer();
  const kinds: string[] = [];
  let cursor: string | undefined;
  void (async () => {
    for await (const item of flattenIncoming(first.incoming)) {
      if (item.kind === 'message') kinds.push(String(item.read().message?.type));
      else if (item.kind === 'notice' && item.event !== 'delivery_update') kinds.push(item.event);
      if (kinds.at(-1) === 'assistant' && item.kind === 'message') cursor ??= item.cursor;
    }
  })().catch(() => {});
  const asked = { type: 'control_request', request_id: 'r1', request: { subtype: 'can_use_tool' } };
  await first.send(numbered('user', 1));
  await worker.send(encodeBatch({ type: 'assistant', n: 2 }, asked));
  await until(() => expect(kinds).toEqual(['assistant', 'control_request']));
  const response = { subtype: 'success', request_id: 'r1', response: { behavior: 'deny', message: 'no' } };
  await first.send(encodeBatch({ type: 'control_response', n: 3, response }));
  await until(() => expect(atWorker.seen).toEqual([1, 3]));
  await worker.send(numbered('assistant', 4));
  await until(() => expect(kinds).toEqual(['assistant', 'control_request', 'assistant']));
  // The request is answered, so a later process does not get it.
  const later = viewer(cursor);
  const atLater = numbersOf(later);
  await until(() => expect(atLater.seen).toEqual([4]));
});

test('a worker that another worker has replaced is refused, by its next POST at the latest', async () => {
  const { session, worker } = await oneWaySession();
  const agent = worker();
  numbersOf(agent);
  await agent.opened;
  await session.archive();
  await agent.send(numbered('assistant', 1)).catch(() => {});
  expect(await agent.closed).toMatchObject({ by: expect.stringMatching(/peer|link/) });
});
