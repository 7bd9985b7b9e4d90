import { createMemoryPair } from '@proto/core/transport';
import { recordTransport } from '../recording/record-transport.ts';
import { testTransport } from './index.ts';

testTransport({
  name: 'memory, recorded',
  open() {
    const { host, agent } = createMemoryPair({ maxIncomingBytes: 64 * 1024 });
    return { local: recordTransport(host, { side: 'host', write: () => {} }), remote: agent };
  },
  halfClose: true,
  backPressure: true,
  cut: ({ remote }) => remote.abort(),
});
