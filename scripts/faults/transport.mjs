// One-line faults of the transport contract and its parts; see ../faults.mjs.

const CONTRACT = ['packages/testkit/src/vitest/memory.test.ts'];
const ENDS = ['define-transport', 'define-transport-ends', 'write-queue'].map(
  (name) => `packages/core/src/transport/${name}.test.ts`,
);

/** @type {readonly import('./fault.mjs').Fault[]} */
export const transport = [
  {
    id: 'transport/stays-open-after-both-ends',
    file: 'packages/core/src/transport/define-transport.ts',
    line: 'if (this.#inputEnded && this.#outputEnded) void this.close();',
    becomes: '',
    tests: CONTRACT,
  },
  {
    id: 'transport/leaves-sends-pending',
    file: 'packages/core/src/transport/define-transport.ts',
    line: 'this.#writes.fail(gone);',
    becomes: '',
    tests: ENDS,
  },
  {
    id: 'transport/always-the-peer',
    file: 'packages/core/src/transport/define-transport.ts',
    line: "const by = this.#failure?.by ?? (cause === undefined ? (this.#by ?? 'peer') : 'link');",
    becomes: "const by = 'peer';",
    tests: CONTRACT,
  },
  {
    id: 'transport/no-pause',
    file: 'packages/core/src/transport/define-transport.ts',
    line: "onPause: () => this.#steer('pause'),",
    becomes: 'onPause: () => {},',
    tests: CONTRACT,
  },
  {
    id: 'transport/leaving-closes-nothing',
    file: 'packages/core/src/transport/define-transport.ts',
    line: 'onReturn: () => void this.close(),',
    becomes: 'onReturn: () => {},',
    tests: CONTRACT,
  },
  {
    id: 'transport/sends-when-aborted',
    file: 'packages/core/src/transport/write-queue.ts',
    line: 'if (signal?.aborted) return Promise.reject(signal.reason);',
    becomes: '',
    tests: CONTRACT,
  },
  {
    id: 'transport/sends-the-aborted',
    file: 'packages/core/src/transport/write-queue.ts',
    line: 'if (task.settled) continue;',
    becomes: '',
    tests: CONTRACT,
  },
  {
    id: 'transport/writes-at-once',
    file: 'packages/core/src/transport/write-queue.ts',
    line: 'if (pending !== undefined) await pending;',
    becomes: 'void pending;',
    tests: ['packages/core/src/transport/write-queue.test.ts'],
  },
  {
    id: 'transport/forgets-who-waits',
    file: 'packages/core/src/transport/write-queue.ts',
    line: 'for (const task of this.#tasks.clear()) task.reject(error);',
    becomes: '',
    tests: ENDS,
  },
  {
    id: 'transport/iterates-twice',
    file: 'packages/core/src/transport/incoming-queue.ts',
    line: "if (this.#iterated) throw new TypeError('incoming can only be iterated once');",
    becomes: '',
    tests: CONTRACT,
  },
  {
    id: 'transport/counts-what-is-taken',
    file: 'packages/core/src/transport/incoming-queue.ts',
    line: 'this.#taken = block.end;',
    becomes: '',
    tests: ['packages/core/src/transport/incoming-queue.test.ts'],
  },
  {
    id: 'transport/holds-nothing',
    file: 'packages/core/src/transport/memory.ts',
    line: 'while (!this.held && !this.#paused) {',
    becomes: 'while (!this.#paused) {',
    tests: ['packages/core/src/transport/memory.test.ts'],
  },
  {
    id: 'transport/acknowledges-backwards',
    file: 'packages/core/src/transport/replay-buffer.ts',
    line: 'if (sequence <= this.acknowledged) return;',
    becomes: '',
    tests: ['packages/core/src/transport/replay-buffer.test.ts'],
  },
  {
    id: 'transport/counts-batches',
    file: 'packages/core/src/transport/replay-buffer.ts',
    line: 'this.last += batch.count;',
    becomes: 'this.last++;',
    tests: ['packages/core/src/transport/replay-buffer.test.ts'],
  },
  {
    id: 'transport/repeats-the-acknowledged',
    file: 'packages/core/src/transport/replay-buffer.ts',
    line: 'first < next ? { first: next, batch: batchFrom(batch, next - first) } : { first, batch },',
    becomes: '({ first, batch }),',
    tests: ['packages/core/src/transport/replay-buffer.test.ts'],
  },
  {
    id: 'transport/has-no-limit',
    file: 'packages/core/src/transport/replay-buffer.ts',
    line: 'if (this.bytes > 0 && this.bytes + size > this.#maxBytes) {',
    becomes: 'if (false) {',
    tests: ['packages/core/src/transport/replay-buffer.test.ts'],
  },
  {
    id: 'transport/no-jitter',
    file: 'packages/core/src/transport/backoff.ts',
    line: 'return Math.round(delay * (1 - jitter + 2 * jitter * random()));',
    becomes: 'return Math.round(delay);',
    tests: ['packages/core/src/transport/backoff.test.ts'],
  },
  {
    id: 'transport/first-attempt-waits',
    file: 'packages/core/src/transport/backoff.ts',
    line: 'if (attempt <= 1) return 0;',
    becomes: '',
    tests: ['packages/core/src/transport/backoff.test.ts'],
  },
  {
    id: 'transport/leaks-listener',
    file: 'packages/core/src/transport/on-abort.ts',
    line: "if (acts.size === 0) signal.removeEventListener('abort', acts);",
    becomes: '',
    rows: ['R-27.2'],
  },
];
