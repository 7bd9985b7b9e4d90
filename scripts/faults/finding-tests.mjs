import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The test files that have to find one of the faults: those that cite its rows, or those it names. By the folder of their package,
 * and only of packages whose tests run from source.
 * @param {string} root
 * @param {readonly Pick<import('./plant.mjs').Fault, 'rows' | 'tests'>[]} faults
 */
export function testsFor(root, faults) {
  const rows = faults.flatMap((fault) => fault.rows ?? []);
  const named = new Set(faults.flatMap((fault) => fault.tests ?? []));
  /** @type {Map<string, string[]>} */
  const found = new Map();
  for (const [path, text] of testFiles(root)) {
    const cites = isFromSource(path) && rows.some((row) => text.includes(`'${row}'`));
    if (!named.has(path) && !cites) continue;
    const folder = join('packages', path.split('/')[1] ?? '');
    found.set(folder, [...(found.get(folder) ?? []), path.slice(folder.length + 1)]);
  }
  return found;
}

// The requirements quote ids they do not prove.
const LEFT_OUT = ['requirements'];

/**
 * The command line tools are tested as they are built; of their tests those that run from source are named by a fault.
 * @param {string} path
 */
function isFromSource(path) {
  return !path.startsWith('packages/cli/');
}

/** @type {Map<string, string> | undefined} */
let files;

/** @param {string} root */
function testFiles(root) {
  if (files !== undefined) return files;
  files = new Map();
  for (const name of readdirSync(join(root, 'packages'))) {
    const source = join('packages', name, 'src');
    if (LEFT_OUT.includes(name) || !existsSync(join(root, source))) continue;
    for (const entry of readdirSync(join(root, source), { recursive: true, withFileTypes: true })) {
      if (!entry.name.endsWith('.test.ts')) continue;
      const path = join(source, join(entry.parentPath, entry.name).slice(join(root, source).length + 1));
      files.set(path, readFileSync(join(root, path), 'utf8'));
    }
  }
  return files;
}
