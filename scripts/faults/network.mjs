// Faults of the clients of the network transports; see ../faults.mjs.

/** @type {readonly import('./plant.mjs').Fault[]} */
export const network = [
  {
    id: 'network/delivers-again',
    in: 'transport-websocket ResumableCodec',
    find: 'if ($id <= this.#$streams.$received) return false;',
    becomes: '',
    rows: ['R-1.2'],
  },
  {
    id: 'network/restart-is-the-end',
    in: 'transport-websocket meaningOfClose',
    find: 'return $closeCodes[$code] ?? $BROKE;',
    becomes: "return $closeCodes[$code] ?? { action: 'permanent', hint: '' };",
    rows: ['R-2.1'],
  },
  {
    id: 'network/acknowledgements-prove-nothing',
    in: 'transport-websocket Connection',
    find: 'if (this.$replay.acknowledged > $before) this.#$events.onProgress?.();',
    becomes: '',
    tests: ['packages/transport-websocket/src/client/resuming.test.ts'],
  },
  {
    id: 'network/refreshes-each-time',
    in: 'transport-sse CredentialSource.refuse',
    find: 'if (this.#$credential?.token !== $token) return;',
    becomes: '',
    rows: ['R-12.2'],
  },
  {
    id: 'network/keeps-nothing-alive',
    in: 'transport-websocket PlainCodec',
    find: 'if (!this.#$link.canProve) this.#$link.send($KEEP_ALIVE_LINE);',
    becomes: "if (!this.#$link.canProve) this.#$link.send('\\n');",
    rows: ['S2-59'],
  },
  {
    id: 'worker/early-events-are-not-acknowledged',
    in: 'transport-sse WorkerFrames.logged',
    find: "if (typeof $id === 'string') this.#$options.onReceived($id);",
    becomes: '',
    rows: ['S2-52'],
  },
  {
    id: 'requests/a-listener-each',
    in: 'transport-sse Scope',
    find: '$controller.signal.addEventListener($event, onAbort($outer, $abort));',
    becomes: '$outer.addEventListener($event, $abort, { signal: $controller.signal });',
    rows: ['R-27.2'],
  },
];
