// Without a name: builds, runs the examples and the tests, but not the long ones of `pnpm test:system`, and then prints the totals of
// scripts/requirements.mjs. A requirement without a passing test is not a failure here, because a long test may cover it. A part that fails does not
// stop the others.
// With names, `pnpm test core packages/host/src/mcp`, runs only the tests of these packages, folders or files, from source: nothing is built.
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { basename, join } from 'node:path';

import { pnpm } from './pnpm.mjs';
import { FAST_RESULTS, LONG_EXAMPLES } from './tiers.mjs';
import { ROOT, workspaceFolders } from './workspace.mjs';

const VITEST = 'node_modules/vitest/vitest.mjs';
const names = process.argv.slice(2);
process.exitCode = names.length > 0 ? Math.max(...names.map(testOnly)) : testAll();

function testAll() {
  // The results of an earlier run must not be mistaken for results of this run.
  rmSync(FAST_RESULTS, { force: true });
  const options = ['--continue=dependencies-successful', '--log-order=grouped', '--log-prefix=none'];
  const short = LONG_EXAMPLES.map((name) => `--filter=!./examples/${name}`);
  const built = pnpm(['exec', 'turbo', 'run', 'build', 'example', ...options, ...short]);
  return Math.max(
    built,
    run([VITEST, 'run', '--config', 'vitest.fast.ts']),
    run(['scripts/requirements.mjs', '--partial']),
  );
}

/** @param {string} name The name of a package, or the path of a folder or file of tests. */
function testOnly(name) {
  const path = name.replace(/^\.\//, '').replace(/\/$/, '');
  const folder = workspaceFolders().find((each) => path === basename(each) || `${path}/`.startsWith(`${each}/`));
  if (folder === undefined) {
    console.error(
      `no package is named ${name}: give the name of one, such as core, or a path, such as packages/core/src/framing`,
    );
    return 2;
  }
  const filter = path.startsWith(`${folder}/`) ? [path.slice(folder.length + 1)] : [];
  const config = folder === 'tests' ? 'tests/vitest.config.ts' : 'vitest.shared.ts';
  // The next run reuses the files that this run has transformed.
  const cache = '--experimental.fsModuleCache';
  return run([VITEST, 'run', cache, '--root', folder, '--config', join(ROOT, config), ...filter]);
}

/** @param {readonly string[]} args */
function run(args) {
  const { status } = spawnSync(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] });
  return status ?? 1;
}
