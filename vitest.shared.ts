import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** What every package's tests share: they run from source, also that of our other packages, and leave results for the reports. */
export default defineConfig({
  // The condition is added to the default ones of the server environment, which a list of our own would replace.
  ssr: { resolve: { conditions: ['@proto/source', 'module', 'node', 'development|production'] } },
  test: {
    include: ['src/**/*.test.ts'],
    // The test files of a package run in one process, one after the other: a process and the modules for each file were almost half of the
    // work of a run. That no file leaves anything to the next one is checked behind each.
    isolate: false,
    setupFiles: [fileURLToPath(new URL('./vitest.left-behind.ts', import.meta.url))],
    globalSetup: [fileURLToPath(new URL('./vitest.temporary-folder.ts', import.meta.url))],
    // For machines that do other things, too: what hangs is found all the same.
    testTimeout: 30_000,
    expect: { poll: { timeout: 25_000 } },
    reporters: ['default', 'json'],
    outputFile: { json: '.vitest/results.json' },
  },
});
