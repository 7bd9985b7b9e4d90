// Faults of the server of remote sessions; see ../faults.mjs.

/** @type {readonly import('./plant.mjs').Fault[]} */
export const ingress = [
  {
    id: 'ingress/no-dedupe',
    in: 'ingress placeOf',
    find: 'if ($holder === undefined) return { keepAs: $event.id };',
    becomes: 'return { keepAs: $event.id };',
    rows: ['I-A3', 'R-16.2'],
  },
  {
    id: 'ingress/live-at-once',
    in: 'ingress EventReader.push',
    find: 'if (!this.#$live || $event.sequence <= this.#$cursor) return;',
    becomes: '',
    rows: ['I-B6', 'R-26.2'],
  },
  {
    id: 'ingress/silent-when-idle',
    in: 'ingress EventReader.keepAlive',
    find: 'if (this.#$stalled === undefined) this.#$say(this.format.keepalive);',
    becomes: '',
    rows: ['I-B7', 'R-13.1'],
  },
  {
    id: 'ingress/streams-stay',
    in: 'ingress nodeSinkOpener',
    find: "$response.on('close', () => this.#$leave());",
    becomes: '',
    rows: ['R-18.1'],
  },
  {
    id: 'ingress/never-cuts-a-reader',
    in: 'ingress EventReader',
    find: "this.#$stalled = setTimeout(() => this.sink.end('stalled'), this.#$context.stallTimeoutMs);",
    becomes: 'this.#$stalled = setTimeout(() => {}, this.#$context.stallTimeoutMs);',
    rows: ['R-19.3'],
  },
  {
    id: 'ingress/no-rate-limit',
    in: 'ingress refuseUntil',
    find: 'if ($waitMs <= 0) return;',
    becomes: 'if ($waitMs <= Infinity) return;',
    rows: ['R-25.3'],
  },
  {
    id: 'ingress/epoch-unchecked',
    in: 'ingress Session.whileSeated',
    find: 'if ($conflict === undefined) await $work();',
    becomes: 'await $work();',
    rows: ['I-C5', 'R-26.3'],
  },
  {
    id: 'ingress/every-answer-counts',
    in: 'ingress ControlRequests',
    find: "return $isResolved ? 'already_resolved' : 'request_not_open';",
    becomes: 'return $isResolved || !$isResolved ? undefined : undefined;',
    rows: ['R-8.2', 'R-8.3'],
  },
  {
    id: 'ingress/everybody-sends',
    in: 'ingress maySend',
    find: "return $type === 'control_response' || ($type === 'control_request' && $isPlainInitialize($payload));",
    becomes: 'return $isPlainInitialize($payload) || true;',
    rows: ['R-26.1'],
  },
  {
    id: 'ingress/writes-anew',
    in: 'ingress entryOf',
    find: 'if ($isWritten && $uuid !== undefined) return { id: $id, type: $type, payload: $payload, text: $text, ephemeral: $ephemeral };',
    becomes:
      'if ($isWritten && $uuid !== undefined) return { $id, $type, $payload, text: JSON.stringify($payload), $ephemeral };',
    rows: ['I-A6'],
  },
  {
    id: 'sockets/keeps-tokens',
    in: 'ingress postedLines',
    find: "if (typeof $entry === 'string' || $entry.type !== 'auth') $posted.push($entry);",
    becomes: '$posted.push($entry);',
    rows: ['I-E3'],
  },
  {
    id: 'sockets/forgets-proofs',
    in: 'ingress Session.proveDelivery',
    find: 'this.#$provedUpTo = $upTo;',
    becomes: '',
    rows: ['I-E8'],
  },
  {
    id: 'sockets/superseded-may-come-back',
    in: 'ingress bareWorkerCodes',
    find: 'export const bareWorkerCodes: CloseCodes = { ...closeCodes, superseded: 4003, archived: 4001 };',
    becomes: 'export const bareWorkerCodes: CloseCodes = { ...closeCodes, archived: 4001 };',
    rows: ['I-E6'],
  },
  {
    id: 'ingress/echoes-to-nobody',
    in: 'ingress Readers.push',
    find: 'for (const $viewer of this.#$viewers) $viewer.push($event, $frame($viewer.format)); for (const $worker of this.#$workers) $worker.push($event, $frame($worker.format));',
    becomes: 'for (const $worker of this.#$workers) $worker.push($event, $frame($worker.format));',
    rows: ['I-D2', 'R-26.4'],
  },
];
