// Packs all public packages, or the named ones, as for a release: node scripts/pack.mjs FOLDER [NAME…]. Build the packages first.
// The file of `@proto/core` is `FOLDER/proto-core.tgz`, whatever its version.
import { mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { pnpm } from './pnpm.mjs';
import { packageFolders, ROOT } from './workspace.mjs';

const [folder, ...wanted] = process.argv.slice(2);
if (folder === undefined) throw new Error('usage: node scripts/pack.mjs FOLDER [NAME…]');
mkdirSync(folder, { recursive: true });

const names = packageFolders()
  .map((path) => JSON.parse(readFileSync(join(ROOT, path, 'package.json'), 'utf8')))
  .filter((manifest) => !manifest.private)
  .map((manifest) => manifest.name)
  .filter((name) => wanted.length === 0 || wanted.includes(name));

// pnpm, because it puts `publishConfig.exports` and real versions into the packed package.json.
const filters = names.flatMap((name) => ['--filter', name]);
process.exitCode = pnpm(['--recursive', ...filters, 'pack', '--out', join(resolve(folder), '%s.tgz')]);
