import { configDefaults, defineConfig } from 'vitest/config';
import shared from '../vitest.shared.ts';
import { SYSTEM } from './tiers.ts';

/** These tests run against the built packages: the source condition is left out. */
export default defineConfig({
  // The tests mostly wait for processes and links, so three files run at a time on two cores.
  test: {
    ...shared.test,
    include: ['**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...SYSTEM],
    maxWorkers: 3,
    // Each file has its own process: published clients set globals, such as WebSocket, when they are loaded.
    isolate: true,
    setupFiles: [],
  },
});
