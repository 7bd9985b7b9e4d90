import {
  type Batch,
  defineTransport,
  incomingMessage,
  type Transport,
  type TransportControl,
} from '@proto/core/transport';
import { type TransportPair, testTransport } from '@proto/testkit/vitest';
import { FakeSession } from './fake-session.test-support.ts';
import { createSseTransport } from './sse-transport.ts';
import { URL_OF_SESSION } from './viewer.test-support.ts';

const SILENCE_MS = 50;

interface SsePair extends TransportPair {
  readonly session: FakeSession;
  readonly asked: () => number;
}

/** The worker side: in the process of the log. The session ends with it. */
function workerOf(session: FakeSession, viewer: Transport) {
  return defineTransport('worker', (control: TransportControl) => {
    session.onPosted = ({ payload }) => control.receive([incomingMessage(payload)]);
    void viewer.closed.then(() => control.closed());
    control.opened();
    const leave = () => {
      session.end();
      control.closed();
    };
    return {
      write(batch: Batch) {
        for (const { text } of batch.messages()) session.append(text, crypto.randomUUID(), 'worker');
      },
      close: leave,
      abort: leave,
    };
  });
}

function open(session = new FakeSession()): SsePair {
  let asked = 0;
  const keepalive = setInterval(() => session.write(': alive\n\n'), SILENCE_MS / 5);
  const local = createSseTransport({
    url: URL_OF_SESSION,
    credential: () => `token-${++asked}`,
    fetch: session.fetch,
    baseMs: 5,
    capMs: 20,
    silenceMs: SILENCE_MS,
  });
  void local.closed.then(() => clearInterval(keepalive));
  return { local, remote: workerOf(session, local), session, asked: () => asked };
}

testTransport<SsePair>({
  name: 'a viewer by SSE and POST',
  open: () => open(),
  halfClose: false,
  backPressure: false,
  cut: ({ session }) => session.cut(),
  inject: ({ session }) => session.write('event: client_event\ndata: {"payload":\n\n'),
  connecting() {
    const session = new FakeSession();
    session.fate = () => 'stalled';
    return open(session).local;
  },
  released: ({ session }) => session.streams.size === 0,
  reconnect: {
    reachable: ({ session }, yes) => void (session.fate = () => (yes ? 'served' : 'unreachable')),
    refuse: ({ session }) => void (session.fate = () => ({ status: 403 })),
    forget: ({ session }) =>
      void (session.greeting = (cursor) =>
        `id: ${cursor}\nevent: resume\ndata: {"verdict":"gap","reason":"evicted"}\n\n`),
    asked: ({ asked }) => asked(),
  },
  silence: { start: ({ session }) => session.silence(), noticedWithinMs: 2000 },
});
