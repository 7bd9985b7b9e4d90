import { recordTransport } from '@proto/recording';
import { testTransport } from './index.ts';
import { memory } from './memory.test-support.ts';
import { resumingTransport } from './resuming/resuming-pair.test-support.ts';

/** A recorded transport is a wrapper, and must keep the contract too. */
testTransport({
  ...memory,
  name: 'memory, recorded',
  async open() {
    const { local, remote } = await memory.open();
    return { local: recordTransport(local, { side: 'host', write: () => {} }), remote };
  },
});

const resuming = resumingTransport();

/** The same for a transport with all optional features: connection states, notices and cursors. */
testTransport({
  ...resuming,
  name: 'resuming, recorded',
  async open() {
    const pair = await resuming.open();
    return { ...pair, local: recordTransport(pair.local, { side: 'host', write: () => {} }) };
  },
});
