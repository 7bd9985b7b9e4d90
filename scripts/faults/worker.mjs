// One-line faults of the worker of a remote session; see ../faults.mjs.

const source = 'packages/transport-sse/src';
const tests = [`${source}/worker/worker-transport.test.ts`];

/** @type {readonly import('./fault.mjs').Fault[]} */
export const worker = [
  {
    id: 'worker/early-events-are-not-acknowledged',
    file: `${source}/worker/worker-frames.ts`,
    line: "if (typeof id === 'string') this.#options.onReceived(id);",
    becomes: '',
    rows: ['S2-52'],
  },
  {
    id: 'worker/conflict-with-itself-is-the-end',
    file: `${source}/worker/worker-requests.ts`,
    line: 'const isOwn = token !== undefined && (await this.#requests.credential?.isOutdated(token)) === true;',
    becomes: 'const isOwn = false;',
    tests,
  },
  {
    id: 'worker/says-increments-twice',
    file: `${source}/post-queue.ts`,
    line: 'left = left.filter(({ ephemeral }) => !ephemeral);',
    becomes: '',
    tests,
  },
  {
    id: 'worker/new-attachment-is-told-nothing',
    file: `${source}/worker/seat.ts`,
    line: 'if (epoch > last) this.#options.onChange((this.#epoch = epoch));',
    becomes: '',
    tests,
  },
];
