import { defineConfig } from 'vitest/config';
import shared from '../vitest.shared.ts';
import { SYSTEM } from './tiers.ts';

/** The long tests; see tiers.ts. */
export default defineConfig({
  test: {
    ...shared.test,
    include: SYSTEM.map((suite) => suite.replace(/\*\*$/, '**/*.test.ts')),
    outputFile: { json: '.vitest/system.json' },
    maxWorkers: 3,
    // As in vitest.config.ts.
    isolate: true,
    setupFiles: [],
  },
});
