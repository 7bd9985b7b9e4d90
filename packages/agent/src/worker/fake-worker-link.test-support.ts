import type { WorkerLink } from '@proto/core/internal';
import { TransportError } from '@proto/core/transport';

export function fakeWorkerLink(left: Readonly<Record<string, unknown>> | null = null) {
  const reports: unknown[][] = [];
  let pending = 0;
  const fate: { refused?: number } = {};
  const link: WorkerLink = {
    // As with a real server, the answer arrives only after a prompt that is already waiting has been read.
    restored: new Promise((resolve) => setImmediate(() => resolve(left))),
    reportState: (...state) => reports.push(['state', ...state.filter((one) => one !== undefined)]),
    reportMetadata: (patch) => reports.push(['metadata', patch]),
    reportDelivery: (uuid, state) => reports.push(['delivery', uuid, state]),
    internalEvents: {
      append: () => void pending++,
      async *read() {},
      get pending() {
        return pending;
      },
      async flush() {
        const kept = pending;
        await new Promise((resolve) => setImmediate(resolve));
        pending -= kept;
        reports.push(['kept', kept]);
        const { refused } = fate;
        delete fate.refused;
        if (refused !== undefined) throw new TransportError('rejected', 'too large', { status: refused });
      },
    },
  };
  return { link, reports, fate };
}
