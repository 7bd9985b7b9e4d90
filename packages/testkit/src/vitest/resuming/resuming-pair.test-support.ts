import { defineTransport, type TransportControl } from '@proto/core/transport';
import type { TransportPair, TransportUnderTest } from '../transport-under-test.ts';
import type { LinkEnd, LinkEvents } from './link.test-support.ts';
import { Network } from './network.test-support.ts';
import { ResumingClient, SILENCE_MS } from './resuming-client.test-support.ts';
import { type Fault, ResumingEnd } from './resuming-end.test-support.ts';

const MAX_BYTES = 64 * 1024;

/** All connections belong to one session. */
class ResumingServer extends ResumingEnd {
  accept(link: LinkEnd): LinkEvents {
    return this.over ? { onText: () => link.drop(), onDown() {} } : this.attach(link);
  }

  protected override onHello(): void {
    this.control.opened();
  }

  protected override onDown(): void {}
}

export interface ResumingPair extends TransportPair {
  readonly network: Network;
  readonly server: ResumingEnd;
  readonly client: ResumingClient;
}

function openResumingPair(fault?: Fault, reachable = true): ResumingPair {
  const options = { maxIncomingBytes: MAX_BYTES };
  let server!: ResumingServer;
  let client!: ResumingClient;
  let issued = 0;
  const remote = defineTransport('resuming', (control) => (server = new ResumingServer(control, MAX_BYTES)), options);
  const network = new Network((link) => server.accept(link));
  network.reachable = reachable;
  const connect = (control: TransportControl) => {
    return (client = new ResumingClient(control, network, () => `token-${++issued}`, MAX_BYTES, fault));
  };
  const local = defineTransport('resuming', connect, options);
  // The server refuses a session that it has given up.
  void remote.closed.then(() => {
    network.refusing = true;
  });
  return { local, remote, network, server, client };
}

/** The pair supports everything that the suite can test except a half-close. */
export function resumingTransport(fault?: Fault): TransportUnderTest<ResumingPair> {
  return {
    name: 'resuming',
    open: () => openResumingPair(fault),
    halfClose: false,
    backPressure: true,
    cut: ({ network }) => network.cut(),
    inject: ({ network }) => network.inject('{"kind":'),
    notify: ({ network }) => network.inject('{"kind":"news","event":"said","data":{"so":1}}'),
    connecting: () => openResumingPair(fault, false).local,
    released: ({ client }) => client.idle,
    reconnect: {
      reachable({ network }, yes) {
        network.reachable = yes;
      },
      refuse({ network }) {
        network.refusing = true;
      },
      forget: ({ server }) => server.forget(),
      asked: ({ network }) => new Set(network.tokens).size,
    },
    silence: { start: ({ network }) => network.silence(), noticedWithinMs: 10 * SILENCE_MS },
  };
}
