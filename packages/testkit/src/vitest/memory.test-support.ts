import { createMemoryPair } from '@proto/core/transport';
import type { TransportUnderTest } from './transport-under-test.ts';

export const memory: TransportUnderTest = {
  name: 'memory',
  open() {
    const { host, agent } = createMemoryPair({ maxIncomingBytes: 64 * 1024 });
    return { local: host, remote: agent };
  },
  halfClose: true,
  backPressure: true,
  cut: ({ remote }) => remote.abort(),
};
