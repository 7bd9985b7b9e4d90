/** The event-stream transports as the transport contract tests them, on any platform: viewers and workers are each the far end of the other. */
import { encodeBatch, type Transport } from '@proto/core/transport';
import type { TransportPair, TransportUnderTest } from '@proto/testkit/vitest';
import { createSseTransport, createSseWorkerTransport, type Fetch, type SseOptions } from '@proto/transport-sse';

/** The server must send a sign of life more often than this, in milliseconds. */
export const SILENCE_MS = 600;
const MAX_EVENT_BYTES = 4 * 1024 * 1024;
const TOO_LONG = 'x'.repeat(MAX_EVENT_BYTES + 1);

/** The session of an ingress that is reached through a network that can be made to fail. */
export interface NetworkedSession {
  /** The address of the session through the network that can fail. */
  readonly url: string;
  /** The address of the session past it. */
  readonly directUrl: string;
  /** The token of a viewer that may send. */
  readonly token: string;
  readonly worker: { readonly token: string; readonly epoch: number };
  /** Breaks all connections. With false, later ones also fail until this is called with true. */
  reachable(yes: boolean): void | Promise<void>;
  /** Breaks all connections. */
  cut(): void | Promise<void>;
  /** Stops all traffic on the connections, which stay open. */
  silence(): void | Promise<void>;
  close(): void | Promise<void>;
}

/** A platform with its `fetch`. */
export interface FetchPlatform {
  readonly name: string;
  readonly fetch: Fetch;
  /** Starts an ingress with one session. */
  startSession(): Promise<NetworkedSession>;
}

interface SsePair extends TransportPair {
  readonly session: NetworkedSession;
  readonly asked: () => number;
  /** Answers every later request with this status. */
  readonly answerWith: (status: number) => void;
}

type Side = 'viewer' | 'worker';

/** Connects both ends to a session. Only the end under test goes through the network that can be made to fail. */
async function openPair({ fetch, startSession }: FetchPlatform, under: Side): Promise<SsePair> {
  const session = await startSession();
  let asked = 0;
  let status: number | undefined;
  const answering: Fetch = (url, request) =>
    status === undefined ? fetch(url, request) : Promise.resolve({ status, headers: new Headers(), body: null });
  const make = (side: Side): Transport => {
    const isUnder = side === under;
    const options: SseOptions = {
      url: isUnder ? session.url : session.directUrl,
      credential() {
        if (isUnder) asked++;
        return side === 'worker' ? session.worker : session.token;
      },
      fetch: isUnder ? answering : fetch,
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
    session,
    asked: () => asked,
    answerWith: (next) => void (status = next),
    dispose: () => session.close(),
  };
}

/** The transports of a platform, each for `testTransport`. */
export function eventStreamTransports(platform: FetchPlatform): readonly TransportUnderTest<SsePair>[] {
  return (['viewer', 'worker'] as const).map((side) => ({
    name: `a ${side} through an ingress ${platform.name}`,
    open: () => openPair(platform, side),
    halfClose: false,
    backPressure: false,
    sessionOutlives: true,
    messagesOnly: true,
    cut: ({ session }) => session.cut(),
    async inject({ remote }) {
      await remote.send(encodeBatch({ type: 'user', text: TOO_LONG }));
    },
    // The server refuses a message without a type, and reports the refusal to the sender.
    notify: ({ local }) => local.send(encodeBatch({ no: 'type' })),
    async connecting() {
      const { local, remote, session } = await openPair(platform, side);
      await session.silence();
      await session.cut();
      void local.closed.then(() => {
        remote.abort();
        return session.close();
      });
      return local;
    },
    reconnect: {
      reachable: ({ session }, yes) => session.reachable(yes),
      refuse: ({ answerWith }) => answerWith(403),
      asked: ({ asked }) => asked(),
    },
    silence: { start: ({ session }) => session.silence(), noticedWithinMs: 3 * SILENCE_MS },
  }));
}
