import { defineConfig } from 'vitest/config';
import shared from '../vitest.shared.ts';

/** These tests run against what the packages have built: the source condition is left out. */
export default defineConfig({
  test: { ...shared.test, include: ['**/*.test.ts'] },
});
