// Packs all public packages, or the named ones, as for a release: node scripts/pack.mjs FOLDER [NAME…]. Build the packages first.
// The file of `@proto/core` is `FOLDER/proto-core.tgz`, whatever its version.
import { mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { pnpm } from './pnpm.mjs';
import { packageFolders, ROOT } from './workspace.mjs';

const [folder, ...wanted] = process.argv.slice(2);
if (folder === undefined) throw new Error('usage: node scripts/pack.mjs FOLDER [NAME…]');
const target = resolve(folder);
mkdirSync(target, { recursive: true });

const manifests = new Map(
  packageFolders()
    .map((path) => JSON.parse(readFileSync(join(ROOT, path, 'package.json'), 'utf8')))
    .filter((manifest) => !manifest.private)
    .map((manifest) => [manifest.name, manifest]),
);
const names = [...manifests.keys()].filter((name) => wanted.length === 0 || wanted.includes(name));

// pnpm, because it puts `publishConfig.exports` and real versions into the packed package.json.
const filters = names.flatMap((name) => ['--filter', name]);
process.exitCode = pnpm(['--recursive', ...filters, 'pack', '--out', join(target, '%s.tgz')]);

if (process.exitCode === 0 && wanted.length === 0) {
  console.log('\nThe lines that install a package in a project:\n');
  for (const name of names) console.log(`npm install ${[...neededBy(name)].map(fileOf).join(' ')}`);
}

/**
 * A package, and the packages of this repository that it needs, also indirectly. npm cannot fetch those yet.
 * @param {string} name
 * @returns {Set<string>}
 */
function neededBy(name, found = new Set([name])) {
  const { dependencies = {}, peerDependencies = {} } = manifests.get(name);
  for (const needed of Object.keys({ ...dependencies, ...peerDependencies })) {
    if (manifests.has(needed) && !found.has(needed)) neededBy(needed, found.add(needed));
  }
  return found;
}

/** @param {string} name */
function fileOf(name) {
  return join(target, `${name.replace('@', '').replace('/', '-')}.tgz`);
}
