// Prints the totals of the last runs of `npm test` and `pnpm test:system`, as one line `N passed, N failed[, N skipped]`, from the results that vitest
// left. Fails when a test failed, when no test ran, and when the results of a run are missing.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { FAST_RESULTS, SYSTEM_RESULTS } from './tiers.mjs';

function countTests() {
  const total = { passed: 0, failed: 0, skipped: 0 };
  const missing = [];
  for (const file of [FAST_RESULTS, SYSTEM_RESULTS]) {
    if (!existsSync(file)) {
      missing.push(file);
      continue;
    }
    for (const { status, assertionResults } of JSON.parse(readFileSync(file, 'utf8')).testResults) {
      let failedHere = 0;
      for (const test of assertionResults) {
        if (test.status === 'passed') total.passed += 1;
        else if (test.status === 'failed') failedHere += 1;
        else total.skipped += 1;
      }
      // A file that fails without a failing test did not load, or a hook of the file failed.
      total.failed += status === 'failed' ? Math.max(failedHere, 1) : failedHere;
    }
  }
  for (const file of missing) console.error(`no test results: ${file}`);
  const { passed, failed, skipped } = total;
  console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
  return failed === 0 && passed > 0 && missing.length === 0 ? 0 : 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = countTests();
