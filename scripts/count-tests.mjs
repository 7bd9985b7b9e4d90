// Prints the totals of the last runs of `npm test` and `pnpm test:system`, as one line `N passed, N failed[, N skipped]`, from the result files of
// vitest. Fails if a test failed, if no test ran, or if the results of a run are missing.
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
      // If a file failed but none of its tests did, the file could not be loaded or one of its hooks failed.
      total.failed += status === 'failed' ? Math.max(failedHere, 1) : failedHere;
    }
  }
  for (const file of missing) console.error(`no test results: ${file}`);
  const { passed, failed, skipped } = total;
  console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
  return failed === 0 && passed > 0 && missing.length === 0 ? 0 : 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = countTests();
