import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { SYSTEM_TESTS } from './finding-tests.mjs';

const VITEST = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');

/**
 * How the tests that cite some ids ended: `passed`, `failed`, `hung` if they did not end in time, `broken` if a file could not be loaded, `none` if
 * no test of these files cites the ids.
 * @typedef {'passed' | 'failed' | 'hung' | 'broken' | 'none'} Outcome
 */

/** @type {Set<number>} */
const running = new Set();
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
process.once('exit', () => running.forEach(kill));

/**
 * Runs the tests of these files until the first fails: the tests that cite one of the ids, or every test if no ids are given.
 * @param {string} root The folder of the workspace.
 * @param {string} folder The folder of their package, relative to `root`.
 * @param {readonly string[]} files
 * @param {readonly string[] | undefined} ids
 * @param {number} limitMs
 * @returns {Promise<Outcome>}
 */
export function runTests(root, folder, files, ids, limitMs) {
  const citing = ids ? ['-t', `\\[(${ids.join('|')})\\]`] : [];
  return runVitest(root, folder, ['run', ...files, ...citing], limitMs);
}

/**
 * Runs vitest in a package until the first test fails.
 * @param {string} root The folder of the workspace.
 * @param {string} folder The folder of the package, relative to `root`.
 * @param {readonly string[]} given The command of vitest and its arguments.
 * @param {number} limitMs
 * @returns {Promise<Outcome>}
 */
export async function runVitest(root, folder, given, limitMs) {
  const cwd = join(root, folder);
  const results = join(cwd, '.vitest/results.json');
  const config = join(root, folder === SYSTEM_TESTS ? 'tests/vitest.source.config.ts' : 'vitest.shared.ts');
  rmSync(results, { force: true });
  const args = [
    VITEST,
    ...given,
    `--config=${config}`,
    '--experimental.fsModuleCache',
    '--bail=1',
    '--reporter=json',
    `--outputFile=${results}`,
  ];
  const env = { ...process.env, LONG_TESTS: '1' };
  const child = spawn(process.execPath, args, { cwd, detached: true, stdio: 'ignore', env });
  const { pid = 0 } = child;
  running.add(pid);
  let hung = false;
  const timer = setTimeout(() => {
    hung = true;
    kill(pid);
  }, limitMs);
  const code = await new Promise((resolve) => child.once('close', resolve));
  clearTimeout(timer);
  running.delete(pid);
  return hung ? 'hung' : outcomeOf(code, results);
}

/** @param {number} pid */
function kill(pid) {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The process has ended by itself.
  }
}

/**
 * @param {unknown} code
 * @param {string} file
 * @returns {Outcome}
 */
function outcomeOf(code, file) {
  /** @type {{ testResults: { status: string, assertionResults: { status: string }[] }[] }} */
  let report;
  try {
    report = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return 'broken';
  }
  const statuses = report.testResults.flatMap(({ assertionResults }) => assertionResults.map(({ status }) => status));
  if (statuses.includes('failed')) return 'failed';
  if (report.testResults.some(({ status }) => status === 'failed')) return 'broken';
  if (!statuses.includes('passed')) return 'none';
  // Every test passed, but an error that nobody caught fails the run.
  return code === 0 ? 'passed' : 'failed';
}
