// One-line faults of a session across the network, for random schedules to find; see ../faults.mjs.

const scenario = 'remote session';

/** @type {readonly import('./fault.mjs').Fault[]} */
export const remoteSession = [
  {
    id: 'remote-session/no-dedupe',
    file: 'packages/ingress/src/log/ids.ts',
    line: 'if (holder === undefined) return { keepAs: event.id };',
    becomes: 'return { keepAs: event.id };',
    scenario,
  },
  {
    id: 'remote-session/deliver-before-append',
    file: 'packages/ingress/src/session/session.ts',
    line: 'const events = plans.flatMap((plan) => plan.events.map(({ event }) => event));',
    becomes:
      'const events = plans.flatMap((plan) => plan.events.map(({ event }) => event)); events.forEach((event, n) => this.#readers.push({ ...event, sequence: this.#last + 1 + n, createdAt: 0 }));',
    scenario,
  },
  {
    id: 'remote-session/cursor-includes',
    file: 'packages/ingress/src/log/memory-stream.ts',
    line: 'const from = this.#start + Math.max(0, after + 1 - first);',
    becomes: 'const from = this.#start + Math.max(0, after - first);',
    scenario,
  },
  {
    id: 'remote-session/subscribe-after-replay',
    file: 'packages/ingress/src/stream/event-reader.ts',
    line: 'if (this.#cursor >= pushed() && this.#caughtUp(events)) return this.#goLive();',
    becomes:
      'if (this.#cursor >= pushed() && this.#caughtUp(events)) return void log.read(stream, this.#cursor).then(() => this.#goLive());',
    scenario,
  },
  {
    id: 'remote-session/epoch-unchecked',
    file: 'packages/ingress/src/session/session.ts',
    line: 'if (conflict === undefined) await work();',
    becomes: 'await work();',
    scenario,
  },
  {
    id: 'remote-session/retry-under-new-uuid',
    file: 'packages/transport-sse/src/post-queue.ts',
    line: 'again(failure) {',
    becomes: 'again(failure) { events = events.replace(/"uuid":"[^"]*"/g, () => `"uuid":"${crypto.randomUUID()}"`);',
    scenario,
  },
  {
    id: 'remote-session/ack-before-commit',
    file: 'packages/ingress/src/http/viewer-routes.ts',
    line: "return c.json({ events: await session.postFromClient(posted, { source: 'client', name, role }) });",
    becomes:
      "return c.json({ events: (void session.postFromClient(posted, { source: 'client', name, role }).catch(() => {}), []) });",
    scenario,
  },
];
