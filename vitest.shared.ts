import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';

/**
 * How the tests of a package run: from source, also that of our other packages. With `--root packages/host --config vitest.shared.ts` these are the tests
 * of one package.
 */
export default defineConfig({
  // The condition is added to the default ones of the server environment, which a list of our own would replace.
  ssr: { resolve: { conditions: ['@proto/source', 'module', 'node', 'development|production'] } },
  test: {
    include: ['src/**/*.test.ts'],
    // Thousands of random schedules, and growth of cost; vitest.system.ts runs them, and so do planted faults.
    exclude: [...configDefaults.exclude, ...(process.env['LONG_TESTS'] === '1' ? [] : ['**/*.system.test.ts'])],
    // Many test files run in one process, one after the other: a process for each, with its modules, took almost half of the processor time.
    // vitest.leftovers.ts checks after each file that it leaves nothing changed for the next.
    isolate: false,
    setupFiles: [fileURLToPath(new URL('./vitest.leftovers.ts', import.meta.url))],
    globalSetup: [fileURLToPath(new URL('./vitest.processes.ts', import.meta.url))],
    // For machines that do other things, too: what hangs is found all the same.
    testTimeout: 30_000,
    expect: { poll: { timeout: 25_000 } },
  },
});
