import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { packageFolders } from '../workspace.mjs';

/** The folder of the tests that need several packages. */
export const SYSTEM_TESTS = 'tests';

/**
 * The test files that have to find one of the faults, by the folder of their package: the files that the faults name, and the files of packages that
 * cite what the faults break.
 * @param {string} root
 * @param {readonly Pick<import('./plant.mjs').Fault, 'breaks' | 'tests'>[]} faults
 */
export function testsFor(root, faults) {
  const broken = faults.flatMap((fault) => fault.breaks ?? []);
  const named = new Set(faults.flatMap((fault) => fault.tests ?? []));
  /** @type {Map<string, string[]>} */
  const found = new Map();
  const folders = [SYSTEM_TESTS, ...packageFolders(root)];
  for (const [path, text] of testFiles(root)) {
    const cites = isTriedUnnamed(path) && broken.some((id) => text.includes(`'${id}'`));
    if (!named.has(path) && !cites) continue;
    const folder = folders.find((each) => path.startsWith(`${each}/`)) ?? '';
    found.set(folder, [...(found.get(folder) ?? []), path.slice(folder.length + 1)]);
  }
  return found;
}

/**
 * Whether a test file that cites an id is tried without being named. The tests of the command line tools, and many of the tests that need several
 * packages, start the built files, which do not contain the planted fault.
 * @param {string} path
 */
function isTriedUnnamed(path) {
  return !path.startsWith('packages/cli/') && !path.startsWith(`${SYSTEM_TESTS}/`);
}

/** @type {Map<string, string> | undefined} */
let files;

/** @param {string} root */
function testFiles(root) {
  if (files !== undefined) return files;
  const folders = [
    ...packageFolders(root).map((name) => join(name, 'src')),
    ...readdirSync(join(root, SYSTEM_TESTS)).map((name) => join(SYSTEM_TESTS, name)),
  ];
  files = new Map();
  for (const folder of folders.filter((each) => !each.endsWith('node_modules') && isFolder(join(root, each)))) {
    for (const entry of readdirSync(join(root, folder), { recursive: true, withFileTypes: true })) {
      if (!entry.name.endsWith('.test.ts')) continue;
      const path = join(folder, join(entry.parentPath, entry.name).slice(join(root, folder).length + 1));
      files.set(path, readFileSync(join(root, path), 'utf8'));
    }
  }
  return files;
}

/** @param {string} path */
function isFolder(path) {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
