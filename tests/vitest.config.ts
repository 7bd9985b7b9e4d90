import { configDefaults, defineConfig } from 'vitest/config';
import shared from '../vitest.shared.ts';
import { SYSTEM } from './tiers.ts';

/** These tests run against the built packages: the source condition is left out. */
export default defineConfig({
  test: {
    ...shared.test,
    include: ['**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...SYSTEM],
    // Each file has its own process: some load published clients, which set globals.
    isolate: true,
    setupFiles: [],
    // Built files are loaded as they are.
    server: { deps: { external: [/\/dist\/.*\.js$/] } },
  },
});
