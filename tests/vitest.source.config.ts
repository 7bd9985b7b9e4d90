import { defineConfig } from 'vitest/config';
import shared from '../vitest.shared.ts';

/**
 * Runs the tests that a planted fault names against the sources, which contain the fault: see scripts/faults.mjs. Programs that a test
 * starts by the path of a built file stay as they were built.
 */
export default defineConfig({
  ...shared,
  test: { ...shared.test, include: ['**/*.test.ts'], isolate: true, setupFiles: [] },
});
