// Finds the packages as pnpm-workspace.yaml lists them. Scripts and tests must find packages only through this file.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the repository. */
export const ROOT = fileURLToPath(new URL('..', import.meta.url));

// The folders whose packages are not imported by any package: examples, tests and benchmarks.
const NOT_IMPORTED = /^(?:examples|tests|bench)(?:\/|$)/;

/**
 * The folders of all packages, such as `packages/core`, `examples/swap` and `tests`, in their order in pnpm-workspace.yaml.
 * @param {string} root The folder of the workspace.
 * @returns {readonly string[]}
 */
export function workspaceFolders(root = ROOT) {
  const yaml = readFileSync(join(root, 'pnpm-workspace.yaml'), 'utf8');
  const [, list = ''] = /^packages:\n((?: +- .*\n)+)/m.exec(yaml) ?? [];
  const patterns = Array.from(list.matchAll(/^ +- ['"]?([^'"\n]+?)['"]?$/gm), ([, pattern = '']) => pattern);
  if (patterns.length === 0) throw new Error(`${root}/pnpm-workspace.yaml lists no packages`);
  return patterns
    .flatMap((pattern) => (pattern.endsWith('/*') ? foldersIn(root, pattern.slice(0, -2)) : [pattern]))
    .filter((folder) => existsSync(join(root, folder, 'package.json')));
}

/**
 * The folders of the packages that programs import or start: all but examples, tests and benchmarks.
 * @param {string} root The folder of the workspace.
 */
export function packageFolders(root = ROOT) {
  return workspaceFolders(root).filter((folder) => !NOT_IMPORTED.test(folder));
}

/** @param {string} root @param {string} parent */
function foldersIn(root, parent) {
  return existsSync(join(root, parent)) ? readdirSync(join(root, parent)).map((name) => `${parent}/${name}`) : [];
}
