import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { packageFolders } from './scripts/workspace.mjs';
import tests from './tests/vitest.config.ts';
import { LONGEST, SYSTEM } from './tests/tiers.ts';
import shared from './vitest.shared.ts';

/** Begins with the files that take minutes: one that began last would run alone at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const at = LONGEST.findIndex((name) => moduleId.endsWith(`/tests/${name}`));
      return at < 0 ? LONGEST.length : at;
    };
    return (await super.sort(files)).toSorted((a, b) => place(a) - place(b));
  }
}

/** The tests of `pnpm test:system`: the long ones of the packages (random schedules by the thousand, and growth of cost), and the suites of tests/tiers.ts. */
export default defineConfig({
  test: {
    // For people, and for the reports.
    reporters: ['default', 'json'],
    outputFile: { json: '.vitest/system.json' },
    projects: [
      {
        ...shared,
        test: {
          ...shared.test,
          name: 'packages',
          include: packageFolders().map((folder) => `${folder}/src/**/*.system.test.ts`),
          exclude: configDefaults.exclude,
        },
      },
      {
        test: {
          ...tests.test,
          name: 'tests',
          root: 'tests',
          include: SYSTEM.map((suite) => suite.replace(/\*\*$/, '**/*.test.ts')),
          exclude: configDefaults.exclude,
        },
      },
    ],
    sequence: { sequencer: LongestFirst },
    // Most of them wait for processes and links, so more files run at a time than there are cores.
    maxWorkers: 2 * availableParallelism(),
  },
});
