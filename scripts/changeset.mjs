// Checks that a release can be made from the changesets, that no changeset is major before 1.0 (see VERSIONING.md), and that a branch that changes a
// public package adds a changeset. Tries the release on a copy of the manifests, so the check does not change a file of the workspace.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { ROOT as root, workspaceFolders } from './workspace.mjs';

const changeset = join(root, 'node_modules/@changesets/cli/bin.js');

const HINT = `Describe the change for users: pnpm changeset (npx changeset). Before 1.0 choose minor if the change breaks programs that worked, and patch
otherwise: VERSIONING.md has the list. For a change that no user can see: pnpm changeset --empty.`;

/** @param {string} cwd @param {readonly string[]} args @param {string} hint What to do if the command fails. */
function run(cwd, args, hint) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [changeset, ...args], { cwd, encoding: 'utf8' });
  if (status !== 0) {
    console.error(`changeset ${args.join(' ')}:\n${stdout}${stderr}${hint}`);
    process.exitCode = 1;
  }
}

const copy = mkdtempSync(join(tmpdir(), 'release-'));
try {
  const manifests = workspaceFolders().map((folder) => join(folder, 'package.json'));
  for (const path of [...manifests, 'package.json', 'pnpm-workspace.yaml', '.changeset']) {
    cpSync(join(root, path), join(copy, path), { recursive: true });
  }
  run(
    copy,
    ['version'],
    'A file in .changeset does not have the form that pnpm changeset writes, or names a package that does not exist.',
  );
} finally {
  rmSync(copy, { recursive: true });
}

const { version } = JSON.parse(readFileSync(join(root, 'packages/core/package.json'), 'utf8'));

// Without a base to compare with (in a tarball, in a shallow clone, or on the base branch itself), this check is skipped. A branch that raises
// the version has already used its changesets.
const base = 'origin/main';
const { status } = spawnSync('git', ['merge-base', base, 'HEAD'], { cwd: root, stdio: 'ignore' });
if (status === 0 && versionAt(base) === version) run(root, ['status', `--since=${base}`], HINT);

for (const name of readdirSync(join(root, '.changeset')).filter((file) => file.endsWith('.md'))) {
  if (!version.startsWith('0.') || !/^['"]@[^:]*: major$/m.test(readFileSync(join(root, '.changeset', name), 'utf8')))
    continue;
  console.error(`.changeset/${name}: a major change would release 1.0. ${HINT}`);
  process.exitCode = 1;
}

/** @param {string} commit @returns {string | undefined} The version of the packages in a commit. */
function versionAt(commit) {
  const { stdout } = spawnSync('git', ['show', `${commit}:packages/core/package.json`], {
    cwd: root,
    encoding: 'utf8',
  });
  return /"version": "(.*)"/.exec(stdout)?.[1];
}
