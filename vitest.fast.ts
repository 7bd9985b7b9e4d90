import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import { OWN_PROCESS, SYSTEM } from './tests/tiers.ts';
import { packageFolders } from './scripts/workspace.mjs';
import tests from './tests/vitest.config.ts';
import shared from './vitest.shared.ts';

/** The tests of `npm test`, in one run: modules that many packages use are transformed once, and many files share a process. */
export default defineConfig({
  test: {
    // For people, and for the reports.
    reporters: ['default', 'json'],
    outputFile: { json: '.vitest/results.json' },
    projects: [
      {
        ...shared,
        test: {
          ...shared.test,
          name: 'packages',
          include: packageFolders().map((folder) => `${folder}/src/**/*.test.ts`),
        },
      },
      {
        test: {
          ...tests.test,
          name: 'tests',
          root: 'tests',
          exclude: [...configDefaults.exclude, ...SYSTEM, ...OWN_PROCESS],
          isolate: false,
          setupFiles: shared.test?.setupFiles ?? [],
        },
      },
      { test: { ...tests.test, name: 'published clients', root: 'tests', include: [...OWN_PROCESS] } },
    ],
    // Many tests wait for processes that they start, so more files run at a time than there are cores.
    maxWorkers: 2 * availableParallelism(),
  },
});
