import { configDefaults, defineConfig } from 'vitest/config';
import shared from '../vitest.shared.ts';
import { SYSTEM } from './tiers.ts';

/** These tests run against what the packages have built: the source condition is left out. */
export default defineConfig({
  // They wait for processes and links more than they compute, so three at a time where there are two cores.
  test: {
    ...shared.test,
    include: ['**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...SYSTEM],
    maxWorkers: 3,
    // Each file has a process of its own: published clients set globals, such as WebSocket, when they are loaded.
    isolate: true,
    setupFiles: [],
  },
});
