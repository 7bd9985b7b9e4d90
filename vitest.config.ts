import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import tests from './tests/vitest.config.ts';
import shared, { PACKAGES, RESULTS } from './vitest.shared.ts';

/** The tests of `npm test`, in one run: modules that many packages use are transformed once. */
export default defineConfig({
  test: {
    ...RESULTS,
    projects: [
      {
        ...shared,
        test: {
          ...shared.test,
          name: 'packages',
          include: PACKAGES.map((folder) => `${folder}/src/**/*.test.ts`),
        },
      },
      { test: { ...tests.test, name: 'tests', root: 'tests' } },
    ],
    // Many tests wait for processes that they start, so more files run at a time than there are cores.
    maxWorkers: 2 * availableParallelism(),
  },
});
