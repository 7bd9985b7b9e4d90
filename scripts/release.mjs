// The way of a release: `--dry-run` shows what would be published, `--version` raises the versions and writes the changelogs from the
// changesets, `--pack` packs every package into `packed/`, `--publish` builds
// and publishes the packages that the registry does not have. CI runs `--version` and `--publish`: .github/workflows/release.yml.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

import { pnpm } from './pnpm.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'release-'));
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));

/** @typedef {{ name: string, type: string, oldVersion: string, newVersion: string, changesets: string[] }} Release */
/** @typedef {{ id: string, summary: string }} Change */

const [action] = process.argv.slice(2);
if (action === '--dry-run') showPlan();
else if (action === '--version') {
  run(['exec', 'changeset', 'version']);
  // The lockfile names the versions of the packages in this repository.
  run(['install', '--lockfile-only']);
} else if (action === '--pack') {
  buildAnew();
  process.exitCode =
    spawnSync(process.execPath, [join(root, 'scripts/pack.mjs'), 'packed'], { stdio: 'inherit' }).status ?? 1;
} else if (action === '--publish') {
  buildAnew();
  run(['exec', 'changeset', 'publish']);
} else {
  console.error('usage: npm run release -- --dry-run | --version | --pack | --publish');
  process.exitCode = 2;
}

/** Builds every package into an empty folder: a file of an earlier build, whose source is gone, must not be packed. */
function buildAnew() {
  const packages = join(root, 'packages');
  for (const name of readdirSync(packages)) rmSync(join(packages, name, 'dist'), { recursive: true, force: true });
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
  console.log(`\n${changesets.length} notes:`);
  for (const { summary } of changesets) console.log(`- ${summary.trim().replaceAll('\n', '\n  ')}`);
}

/** @returns {{ releases: readonly Release[], changesets: readonly Change[] }} */
function readPlan() {
  const plan = join(scratch, 'plan.json');
  // It writes below the folder of the repository, wherever that is.
  run(['exec', 'changeset', 'status', `--output=${relative(root, plan)}`]);
  const text = readFileSync(plan, 'utf8');
  rmSync(plan);
  return JSON.parse(text);
}
