import { fileURLToPath } from 'node:url';

/** The results file that vitest writes for `npm test`. */
export const FAST_RESULTS = fileURLToPath(new URL('../.vitest/results.json', import.meta.url));

/** The results file that vitest writes for `pnpm test:system`. */
export const SYSTEM_RESULTS = fileURLToPath(new URL('../.vitest/system.json', import.meta.url));

/** The examples that `pnpm test:system` runs: they pack packages and install them, or run the whole conformance suite. `npm test` runs the others. */
export const LONG_EXAMPLES = ['agent-in-python', 'agent-in-twenty-lines', 'framer-alone'];
