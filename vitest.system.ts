import { configDefaults, defineConfig } from 'vitest/config';
import shared from './vitest.shared.ts';

/** The long tests of the packages, which `pnpm test:system` runs: random schedules by the thousand, and growth of cost. */
export default defineConfig({
  ...shared,
  test: {
    ...shared.test,
    include: ['{packages,server,apps}/*/src/**/*.system.test.ts', 'conformance/src/**/*.system.test.ts'],
    exclude: configDefaults.exclude,
    // Many of them wait for processes that they start.
    maxWorkers: 2,
    outputFile: { json: '.vitest/system.json' },
  },
});
