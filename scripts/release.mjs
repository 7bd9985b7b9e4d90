// Makes a release: `--dry-run` shows what would be published, `--version` raises the versions and writes the changelogs from the
// changesets, `--pack` packs every package into `packed/`, `--publish` builds
// and publishes the packages that the registry does not have. CI runs `--version` and `--publish`: .github/workflows/release.yml.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

import { pnpm } from './pnpm.mjs';
import { packageFolders, ROOT as root } from './workspace.mjs';

const scratch = mkdtempSync(join(tmpdir(), 'release-'));
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));

/** @typedef {{ name: string, type: string, oldVersion: string, newVersion: string, changesets: string[] }} Release */
/** @typedef {{ id: string, summary: string, releases: readonly { name: string, type: string }[] }} Change */

const [action] = process.argv.slice(2);
if (action === '--dry-run') showPlan();
else if (action === '--version') {
  run(['exec', 'changeset', 'version']);
  writeVersion();
  const manifests = packageFolders().map((folder) => `${folder}/package.json`);
  run(['exec', 'biome', 'format', '--write', '--reporter=summary', ...manifests]);
  // The lockfile must still fit the manifests.
  run(['install', '--lockfile-only']);
} else if (action === '--pack') {
  buildAnew();
  process.exitCode =
    spawnSync(process.execPath, [join(root, 'scripts/pack.mjs'), 'packed'], { stdio: 'inherit' }).status ?? 1;
} else if (action === '--publish') {
  checkRepository();
  buildAnew();
  run(['exec', 'changeset', 'publish']);
} else {
  console.error('usage: npm run release -- --dry-run | --version | --pack | --publish');
  process.exitCode = 2;
}

/** Writes the version that peers see into the source of core. */
function writeVersion() {
  const path = join(root, 'packages/core/src/version.ts');
  const { version } = readManifest('core');
  writeFileSync(path, readFileSync(path, 'utf8').replace(/(?<=VERSION = ').*(?=')/, version));
}

/**
 * Checks the repository in the manifests before anything is published. The registry accepts a package with provenance only if its manifest names the
 * repository that built it, and would refuse a package only after some of the packages are published. `git.example.com` is a placeholder.
 */
function checkRepository() {
  const { url } = readManifest('core').repository;
  const builder = process.env['GITHUB_REPOSITORY'];
  if (url.includes('://git.example.com/'))
    fail(
      `The packages name no repository (${url}). Name yours: npm run rename -- --repository https://github.com/you/proto`,
    );
  if (builder !== undefined && !url.endsWith(`/${builder}.git`))
    fail(
      `The packages name ${url}, but ${builder} publishes them: npm run rename -- --repository https://github.com/${builder}`,
    );
}

/** @param {string} name @returns {{ version: string, repository: { url: string } }} */
function readManifest(name) {
  return JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8'));
}

/** @param {string} text @returns {never} */
function fail(text) {
  console.error(text);
  process.exit(1);
}

/** Builds every package into an empty folder: a file of an earlier build, whose source is gone, must not be packed. */
function buildAnew() {
  for (const folder of packageFolders()) rmSync(join(root, folder, 'dist'), { recursive: true, force: true });
  run(['exec', 'turbo', 'run', 'build', '--output-logs=errors-only']);
}

/** @param {string[]} args */
function run(args) {
  const code = pnpm(args);
  if (code !== 0) process.exit(code);
}

/** Prints the next version of each package with its size and its files, and then the notes of the release. */
function showPlan() {
  const { releases, changesets } = readPlan();
  const planned = new Map(releases.map((release) => [release.name, release]));
  buildAnew();
  execFileSync(process.execPath, [join(root, 'scripts/pack.mjs'), scratch], { stdio: 'ignore' });
  for (const tarball of readdirSync(scratch).toSorted()) {
    const files = execFileSync('tar', ['-tzf', join(scratch, tarball)], { encoding: 'utf8' })
      .trim()
      .split('\n');
    const manifest = execFileSync('tar', ['-xzOf', join(scratch, tarball), 'package/package.json'], {
      encoding: 'utf8',
    });
    const { name, version } = /** @type {{ name: string, version: string }} */ (JSON.parse(manifest));
    const next = planned.get(name)?.newVersion ?? version;
    const kilobytes = Math.ceil(statSync(join(scratch, tarball)).size / 1000);
    console.log(`${name} ${version} -> ${next}, ${files.length} files, ${kilobytes} kB`);
    if (process.argv.includes('--files')) for (const file of files) console.log(`  ${relative('package', file)}`);
  }
  if (releases.length === 0)
    console.log('\nNo changeset exists, so nothing would be released. `pnpm changeset` adds one.');
  else console.log(`\n${changesets.length} notes:`);
  for (const { summary, releases: named } of changesets) {
    const names = named.map(({ name, type }) => `${name} (${type})`).join(', ');
    console.log(`- ${names}: ${summary.trim().replaceAll('\n', '\n  ')}`);
  }
}

/** @returns {{ releases: readonly Release[], changesets: readonly Change[] }} */
function readPlan() {
  const plan = join(scratch, 'plan.json');
  // Changesets writes below the folder of the repository. The commit is compared with itself, so no changeset can be missing.
  run(['exec', 'changeset', 'status', '--since=HEAD', `--output=${relative(root, plan)}`]);
  const text = readFileSync(plan, 'utf8');
  rmSync(plan);
  return JSON.parse(text);
}
