// One-line faults of the bridge command; see ../faults.mjs.

const LISTENING = ['packages/cli/src/commands/bridge-listen.test.ts'];

/** @type {readonly import('./fault.mjs').Fault[]} */
export const bridge = [
  {
    id: 'bridge/anybody-comes-in',
    file: 'packages/cli/src/bridge/listen.ts',
    line: "if (token !== undefined && !isSame(authorization.replace(/^Bearer /i, ''), token)) {",
    becomes: 'if (false) {',
    tests: LISTENING,
  },
  {
    id: 'bridge/pages-come-in',
    file: 'packages/cli/src/bridge/listen.ts',
    line: "if (origin !== undefined) return [403, 'origin', 'no page may connect'];",
    becomes: '',
    tests: LISTENING,
  },
  {
    id: 'bridge/forgets-who-was-here',
    file: 'packages/cli/src/bridge/client-sessions.ts',
    line: 'let session = named.get(name);',
    becomes: 'let session = named.get(`${name}${named.size}`);',
    tests: LISTENING,
  },
  {
    id: 'bridge/dies-in-silence',
    file: 'packages/cli/src/bridge/join.ts',
    line: "lastWords: (of: 'a' | 'b', close: TransportClose) => (of === 'b' && tellsHost ? lastWords(close) : undefined),",
    becomes: 'lastWords: () => undefined,',
    tests: LISTENING,
  },
  {
    id: 'bridge/its-own-code',
    file: 'packages/cli/src/bridge/bridge-exit.ts',
    line: 'if (code !== undefined) return code;',
    becomes: '',
    tests: LISTENING,
  },
  {
    id: 'bridge/worker-of-nothing',
    file: 'packages/cli/src/bridge/run-worker.ts',
    line: 'await openSession({ base, session, token });',
    becomes: '',
    tests: ['packages/cli/src/commands/bridge-worker.test.ts'],
  },
];
