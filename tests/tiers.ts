/**
 * The suites of `pnpm test:system`: they take minutes, need a browser or another runtime, or test faults, schedules and attacks.
 * All other suites are part of `npm test`.
 */
export const SYSTEM: readonly string[] = [
  // These suites start an agent for each of several hundred cases.
  'conformance/**',
  'contract/*-abuse.test.ts',
  // Tests the contract of transports through a server, which takes half a minute. `npm test` tests each transport alone.
  'contract/ingress.test.ts',
  'drift/**',
  'durability/**',
  // Runs each command in the help texts and in the documents.
  'examples/**',
  'fuzz/**',
  'inspector/**',
  // Runs the published host through another process; `npm test` runs the same scenarios without it.
  'interop/shim.test.ts',
  // Tests the published host feature by feature; `npm test` runs a whole session with it.
  'interop/sdk-*.test.ts',
  // Imports each entry of each package in another process.
  'layering/declared.test.ts',
  // Checks the model of the specification in thousands of random runs.
  'model/**',
  // Starts several servers and a database.
  'nodes/**',
  'packed/**',
  // Starts hosts that start agents, and kills them. One test sends a gibibyte twice.
  'processes/**',
  // Starts a server for each framework and kind of link.
  'readme/inside-your-server.test.ts',
  'remote/bad-network.test.ts',
  'remote/many-connects.test.ts',
  // These tests cut and reconnect the links of workers and viewers a dozen times. `npm test` runs the other sessions through a server.
  'remote/own-mirror.test.ts',
  'remote/own-worker.test.ts',
  'remote/proxy.test.ts',
  // Starts a program for each sequence of requests.
  'remote/same-ids.test.ts',
  'remote/teleport.test.ts',
  'runtimes/**',
  'scenarios/bridge-*.test.ts',
  'scenarios/shim.test.ts',
  'schedules/**',
  'security/**',
  // Runs random schedules.
  'simulation/**',
  'soak/**',
];

/** The files of `pnpm test:system` that take minutes, the longest first. */
export const LONGEST: readonly string[] = [
  'conformance/own-faults.test.ts',
  'conformance/agent-faults.test.ts',
  'simulation/many-schedules.test.ts',
  'packed/consumer-types.test.ts',
  'interop/shim.test.ts',
  'model/model.test.ts',
  'conformance/host.test.ts',
  'conformance/server.test.ts',
];

/** Of the tests of `npm test`, those that load published clients into their own process: these set globals, such as WebSocket, when they are loaded. */
export const OWN_PROCESS: readonly string[] = ['remote/*.test.ts', 'scenarios/ingress.test.ts'];
