/** Runs the transport contract for viewers and workers: each is the far end of the other, through an ingress and a faulty network. */
import { encodeBatch, type Transport } from '@proto/core/transport';
import { createAccounts, createMemoryEventLog, listen } from '@proto/ingress';
import { startFaultProxy } from '@proto/testkit';
import { type TransportPair, testTransport } from '@proto/testkit/vitest';
import { createSseTransport, createSseWorkerTransport, type Fetch, type SseOptions } from '@proto/transport-sse';
import { undiciFetch } from '@proto/transport-sse/node';

const TOKEN = 'driver-token-0123456789';
const SILENCE_MS = 600;
const MAX_EVENT_BYTES = 4 * 1024 * 1024;
const TOO_LONG = 'x'.repeat(MAX_EVENT_BYTES + 1);

interface SsePair extends TransportPair {
  readonly proxy: Awaited<ReturnType<typeof startFaultProxy>>;
  readonly asked: () => number;
  /** Answers every later request with this status. */
  readonly answerWith: (status: number) => void;
}

type Side = 'viewer' | 'worker';

/** Starts an ingress with a session and connects both ends. Only the end under test goes through a proxy that can be made to fail. */
async function openPair(under: Side): Promise<SsePair> {
  const accounts = await createAccounts([{ name: 'driver', role: 'driver', token: TOKEN }]);
  const server = await listen({ log: createMemoryEventLog(), accounts, limits: { keepaliveMs: SILENCE_MS / 5 } });
  const proxy = await startFaultProxy(server.url);
  const post = async (path: string) => {
    const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
    const answer = await fetch(`${server.url}${path}`, { method: 'POST', headers, body: '{}' });
    return (await answer.json()) as { session: { id: string }; worker_jwt: string; worker_epoch: number };
  };
  const { session } = await post('/v1/code/sessions');
  const path = `/v1/code/sessions/${session.id}`;
  const { worker_jwt: token, worker_epoch: epoch } = await post(`${path}/bridge`);
  let asked = 0;
  let status: number | undefined;
  const inner = undiciFetch();
  const answering: Fetch = (url, request) =>
    status === undefined ? inner(url, request) : Promise.resolve({ status, headers: new Headers(), body: null });
  const make = (side: Side): Transport => {
    const isUnder = side === under;
    const options: SseOptions = {
      url: `${isUnder ? proxy.url : server.url}${path}`,
      credential() {
        if (isUnder) asked++;
        return side === 'worker' ? { token, epoch } : TOKEN;
      },
      fetch: isUnder ? answering : inner,
      baseMs: 5,
      capMs: 20,
      silenceMs: SILENCE_MS,
      ...(isUnder && { maxEventBytes: MAX_EVENT_BYTES }),
    };
    return side === 'worker' ? createSseWorkerTransport(options) : createSseTransport(options);
  };
  return {
    local: make(under),
    remote: make(under === 'viewer' ? 'worker' : 'viewer'),
    proxy,
    asked: () => asked,
    answerWith: (next) => void (status = next),
    async dispose() {
      await proxy.close();
      await server.close();
    },
  };
}

for (const side of ['viewer', 'worker'] as const) {
  testTransport<SsePair>({
    name: `a ${side} through an ingress`,
    open: () => openPair(side),
    halfClose: false,
    backPressure: false,
    sessionOutlives: true,
    messagesOnly: true,
    cut: ({ proxy }) => proxy.cut('rst'),
    async inject({ remote }) {
      await remote.send(encodeBatch({ type: 'user', text: TOO_LONG }));
    },
    // The server refuses a message without a type, and reports the refusal to the sender.
    notify: ({ local }) => local.send(encodeBatch({ no: 'type' })),
    async connecting() {
      const { local, proxy, dispose } = await openPair(side);
      proxy.misbehave({ silent: true });
      proxy.cut('rst');
      void local.closed.then(() => dispose?.());
      return local;
    },
    reconnect: {
      reachable({ proxy }, yes) {
        proxy.misbehave({ refuses: !yes });
        if (!yes) proxy.cut('rst');
      },
      refuse: ({ answerWith }) => answerWith(403),
      asked: ({ asked }) => asked(),
    },
    silence: { start: ({ proxy }) => proxy.misbehave({ silent: true }), noticedWithinMs: 3 * SILENCE_MS },
  });
}
