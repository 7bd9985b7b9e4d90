/**
 * The suites of `pnpm test:system`, which take minutes, need a browser or another runtime, or are about faults, schedules and attacks.
 * All others are part of `npm test`.
 */
export const SYSTEM: readonly string[] = [
  'contract/*-abuse.test.ts',
  'drift/**',
  'durability/**',
  'fuzz/**',
  // The published host through another process; without it, it is in `npm test`.
  'interop/shim.test.ts',
  'packed/**',
  // Sends a gibibyte, twice.
  'processes/stalled-reader.test.ts',
  'remote/bad-network.test.ts',
  'remote/many-connects.test.ts',
  'runtimes/**',
  'scenarios/bridge-*.test.ts',
  'scenarios/shim.test.ts',
  'schedules/**',
  'security/**',
  'soak/**',
];
