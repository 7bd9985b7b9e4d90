/** What `scripts/mutate.mjs` knows by a name: the parts whose mistakes would be the hardest to see. */
export const SUBJECTS = new Map([
  [
    'framing',
    ['json-line', 'line-decoder', 'line-streams', 'utf8'].map((name) => `packages/core/src/framing/${name}.ts`),
  ],
  ['pending-requests', ['packages/core/src/session/pending-requests.ts']],
  [
    'reconnect',
    [
      'packages/core/src/transport/reconnect/backoff.ts',
      'packages/core/src/transport/reconnect/retry-loop.ts',
      'packages/core/src/transport/reconnect/retry-policy.ts',
      'packages/transport-sse/src/request-retries.ts',
      'packages/transport-sse/src/event-stream.ts',
      'packages/transport-websocket/src/client/reconnecting-transport.ts',
    ],
  ],
]);

/** The tests to run for a file that no test imports, by its path: all tests of its folder would take long. */
export const NEAR_TESTS = new Map([
  ['packages/transport-sse/src/request-retries.ts', ['post-queue', 'reconnect']],
  ['packages/transport-sse/src/event-stream.ts', ['reconnect', 'first-attempt']],
]);
