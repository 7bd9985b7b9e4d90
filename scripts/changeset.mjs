// Checks that the changesets make a release, and that a branch that changes a public package adds a changeset. Tries the release on a copy of
// the manifests, so the check changes no file of the workspace.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const changeset = join(root, 'node_modules/@changesets/cli/bin.js');

/** @param {string} cwd @param {readonly string[]} args */
function run(cwd, args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [changeset, ...args], { cwd, encoding: 'utf8' });
  if (status !== 0) {
    console.error(`changeset ${args.join(' ')}:\n${stdout}${stderr}`);
    process.exitCode = 1;
  }
}

const copy = mkdtempSync(join(tmpdir(), 'release-'));
try {
  const manifests = ['packages', 'examples']
    .filter((parent) => existsSync(join(root, parent)))
    .flatMap((parent) => readdirSync(join(root, parent)).map((name) => join(parent, name, 'package.json')))
    .concat('tests/package.json', 'bench/package.json', 'package.json', 'pnpm-workspace.yaml', '.changeset');
  for (const path of manifests.filter((manifest) => existsSync(join(root, manifest)))) {
    cpSync(join(root, path), join(copy, path), { recursive: true });
  }
  run(copy, ['version']);
} finally {
  rmSync(copy, { recursive: true });
}

// Without a base to compare with (in a tarball, in a shallow clone, on the base branch itself) no changeset can be missing.
const base = 'origin/main';
const { status } = spawnSync('git', ['merge-base', base, 'HEAD'], { cwd: root, stdio: 'ignore' });
if (status === 0) run(root, ['status', `--since=${base}`]);
