/** The subjects of `scripts/mutate.mjs`: the code whose mistakes would be hardest to see. */
export const SUBJECTS = new Map([
  ['framing', ['json-line', 'line-decoder', 'utf8'].map((name) => `packages/core/src/framing/${name}.ts`)],
  ['pending-requests', ['packages/core/src/session/pending-requests.ts']],
  [
    'reconnect',
    [
      'packages/core/src/transport/reconnect/backoff.ts',
      'packages/core/src/transport/reconnect/retry-policy.ts',
      'packages/core/src/transport/reconnect/response-status.ts',
      'packages/transport-sse/src/request-retries.ts',
      'packages/transport-sse/src/event-stream.ts',
      'packages/transport-websocket/src/client/web-socket-client-transport.ts',
    ],
  ],
]);

/** The tests of files that no test imports, by the path of the file. Every test of the folder would take too long. */
export const NEAR_TESTS = new Map([
  ['packages/transport-sse/src/request-retries.ts', ['post-queue', 'reconnect']],
  ['packages/transport-sse/src/event-stream.ts', ['reconnect', 'first-attempt']],
]);
