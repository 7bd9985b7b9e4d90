import { createMemoryPair, relay } from '@proto/core/transport';
import { testTransport, type TransportPair } from './index.ts';

const LIMITS = { maxIncomingBytes: 64 * 1024 };

/** A pair of transports with a relay between them. The two sessions do not know of the relay. */
testTransport<TransportPair>({
  name: 'relay',
  open() {
    const near = createMemoryPair(LIMITS);
    const far = createMemoryPair(LIMITS);
    void relay(near.agent, far.host);
    return { local: near.host, remote: far.agent };
  },
  halfClose: true,
  backPressure: true,
});
