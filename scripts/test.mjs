// Without a name: builds, runs every example and every test but the long ones of `pnpm test:system`, and then compares the requirements with the
// results. A row that only a long test decides is no problem here. A failing package does not stop the other packages.
// With names, `pnpm test core packages/host/src/mcp`, runs only the tests of these packages, folders or files, from source: nothing is built.
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, join } from 'node:path';

import { resultFiles } from './count-tests.mjs';
import { pnpm } from './pnpm.mjs';
import { ROOT, workspaceFolders } from './workspace.mjs';

const names = process.argv.slice(2);
process.exitCode = names.length > 0 ? Math.max(...names.map(testOnly)) : testAll();

function testAll() {
  // The results of an earlier run must not be taken for results of this one.
  for (const file of resultFiles('fast')) rmSync(file, { force: true });

  // Tests often wait for processes that they have started, so more packages than cores are tested at a time.
  const concurrency = Math.max(3, Math.ceil(availableParallelism() * 1.5));
  const options = [
    `--concurrency=${concurrency}`,
    '--continue=dependencies-successful',
    '--log-order=grouped',
    '--log-prefix=none',
  ];
  const tests = pnpm(['exec', 'turbo', 'run', 'build', 'test', 'example', ...options]);
  const requirements = spawnSync(process.execPath, ['scripts/requirements.mjs', '--partial'], {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return tests || (requirements.status ?? 1);
}

/** @param {string} name The name of a package, or the path of a folder or file of tests. */
function testOnly(name) {
  const path = name.replace(/^\.\//, '').replace(/\/$/, '');
  const folder = workspaceFolders().find((each) => path === basename(each) || `${path}/`.startsWith(`${each}/`));
  if (folder === undefined) {
    console.error(
      `there is no package ${name}: give the name of one, such as core, or a path, such as packages/core/src/framing`,
    );
    return 2;
  }
  const filter = path.startsWith(`${folder}/`) ? [path.slice(folder.length + 1)] : [];
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
  const { status } = spawnSync(process.execPath, [vitest, 'run', ...filter], {
    cwd: join(ROOT, folder),
    stdio: 'inherit',
  });
  return status ?? 1;
}
