// Changes the scope of the packages and the names of the commands in every file that git tracks, because `@proto` and `sjp` may be taken in your
// registry: npm run rename -- --scope @you --bin you. `--repository https://github.com/you/proto` names the repository in each package.json.
// `--dry-run` only counts. Names on the wire (`sjp.v1`) and environment variables (`SJP_…`) are not changed.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values: options } = parseArgs({
  options: {
    scope: { type: 'string' },
    bin: { type: 'string' },
    repository: { type: 'string' },
    'dry-run': { type: 'boolean', default: false },
  },
});
const { scope, bin, repository, 'dry-run': isDryRun } = options;
if (scope === undefined && bin === undefined && repository === undefined)
  fail('usage: npm run rename -- --scope @you --bin you --repository https://github.com/you/proto [--dry-run]');
if (scope !== undefined && !/^@[a-z0-9][a-z0-9._-]*$/.test(scope)) fail(`not a scope of npm: ${scope}`);
if (bin !== undefined && !/^[a-z][a-z0-9-]*$/.test(bin)) fail(`not a name for a command: ${bin}`);
if (repository !== undefined && !/^https:\/\/[^\s/]+(?:\/[\w.-]+)+(?<!\.git|\/)$/.test(repository))
  fail(`not the address of a repository, such as https://github.com/you/proto: ${repository}`);

const git = (/** @type {string[]} */ ...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' });
if (!isDryRun && git('status', '--porcelain') !== '')
  fail('commit your changes first: they would be mixed with the renaming');

const present = readNames();
const from = present;
const to = { scope: scope ?? from.scope, bin: bin ?? from.bin, repository: repository ?? from.repository };
/** The texts to find, and their replacements. */
const replacements = [
  // This replacement comes first, because the address can contain the scope.
  { find: new RegExp(`${escape(from.repository)}(?=[./"])`, 'g'), becomes: to.repository },
  { find: new RegExp(`${escape(from.scope)}(?![\\w-])`, 'g'), becomes: to.scope },
  // `npm pack` names its files after the scope.
  {
    find: new RegExp(`\\b${escape(from.scope.slice(1))}-(?=[a-z-]+\\\\?\\.tgz)`, 'g'),
    becomes: `${to.scope.slice(1)}-`,
  },
  { find: new RegExp(`\\b${escape(from.bin)}\\b(?!\\.v\\d)`, 'g'), becomes: to.bin },
].filter(({ find, becomes }) => !find.test(becomes));

let changed = 0;
let renamed = 0;
for (const path of git('ls-files', '-z').split('\0').filter(Boolean)) {
  const file = join(root, path);
  // A broken symbolic link, or a deleted file.
  if (!existsSync(file)) continue;
  const bytes = readFileSync(file);
  // Git treats a file with a null byte as a binary file.
  if (!bytes.includes(0)) {
    const text = bytes.toString();
    const next = replacements.reduce((sum, { find, becomes }) => sum.replaceAll(find, becomes), text);
    if (next !== text) {
      changed++;
      if (!isDryRun) writeFileSync(file, next);
    }
  }
  const name = path.replaceAll(new RegExp(`(?<=/bin/)${escape(from.bin)}\\b`, 'g'), to.bin);
  if (name === path) continue;
  renamed++;
  if (!isDryRun) renameSync(file, join(root, name));
}
console.log(`${isDryRun ? 'would change' : 'changed'} ${changed} files, and the names of ${renamed}`);
if (!isDryRun) console.log('Now: npm run format, npm test, and look at the names of variables (SJP_…) in docs/');

/** @returns {{ scope: string, bin: string, repository: string }} The current names, which come from the manifest of the command line tool. */
function readNames() {
  const manifest = JSON.parse(readFileSync(join(root, 'packages/cli/package.json'), 'utf8'));
  const [first = ''] = Object.keys(manifest.bin).toSorted((a, b) => a.length - b.length);
  const repository = manifest.repository.url.replace(/^git\+/, '').replace(/\.git$/, '');
  return { scope: manifest.name.split('/')[0], bin: first, repository };
}

/** @param {string} text */
function escape(text) {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** @param {string} text @returns {never} */
function fail(text) {
  console.error(text);
  process.exit(2);
}
