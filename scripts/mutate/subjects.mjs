/** What `scripts/mutate.mjs` knows by a name: the parts whose mistakes would be the hardest to see. */
export const SUBJECTS = new Map([
  [
    'framing',
    ['decode-lines', 'encode-line', 'line-decoder', 'line-streams', 'parse-line', 'utf8'].map(
      (name) => `packages/core/src/framing/${name}.ts`,
    ),
  ],
  ['pending-requests', ['packages/core/src/session/pending-requests.ts']],
  [
    'reconnect',
    [
      'packages/core/src/transport/backoff.ts',
      'packages/transport-sse/src/insistence.ts',
      'packages/transport-sse/src/event-stream.ts',
      'packages/transport-websocket/src/reconnecting-transport.ts',
    ],
  ],
]);
