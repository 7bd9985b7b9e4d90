/** The next version, made in a copy of the repository as `npm run release -- --version` makes it. */
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { packages, root } from './packed-project.ts';

const scratch = mkdtempSync(join(tmpdir(), 'release-'));
const copy = join(scratch, 'copy');
const NOTE = 'A note of this test, with `code`.';
// Built and installed files are not part of the repository, and copying them takes a long time.
const LEFT_OUT = new Set(['node_modules', 'dist', '.git', '.turbo', '.vitest']);

interface Manifest {
  readonly version: string;
  readonly repository: { readonly type: string; readonly url: string; readonly directory: string };
}

const read = (path: string) => readFileSync(join(copy, path), 'utf8');
const manifestIn = (folder: string) => JSON.parse(read(`${folder}/package.json`)) as Manifest;
const manifest = (name: string) => manifestIn(`packages/${name}`);
const folders = packages.map(({ folder }) => relative(root, folder));

function script(name: string, args: readonly string[], variables: Readonly<Record<string, string>> = {}): string {
  const env = { ...process.env, ...variables };
  const options = { cwd: copy, encoding: 'utf8', stdio: 'pipe', env } as const;
  return execFileSync(process.execPath, [`scripts/${name}.mjs`, ...args], options);
}

let before = '';
beforeAll(() => {
  cpSync(root, copy, { recursive: true, filter: (path) => !LEFT_OUT.has(basename(path)) });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  before = manifest('core').version;
  writeFileSync(join(copy, '.changeset/of-this-test.md'), `---\n'@proto/core': patch\n---\n\n${NOTE}\n`);
  script('release', ['--version']);
}, 120_000);
afterAll(() => rmSync(scratch, { recursive: true, force: true }), 60_000);

test('all packages have the next version', () => {
  const versions = new Set(folders.map((folder) => manifestIn(folder).version));
  expect([...versions]).toEqual([manifest('core').version]);
  expect(manifest('core').version).toMatch(/^0\.\d+\.\d+$/);
  expect(manifest('core').version).not.toBe(before);
});

test('peers see the version of the packages', () => {
  expect(readFileSync(join(root, 'packages/core/src/version.ts'), 'utf8')).toContain(`VERSION = '${before}';`);
  expect(read('packages/core/src/version.ts')).toContain(`VERSION = '${manifest('core').version}';`);
});

test('the notes are in the CHANGELOG of their package, as text and nothing else', () => {
  const [, newest = ''] = read('packages/core/CHANGELOG.md').split(/^## /m);
  expect(newest.split('\n')[0]).toBe(manifest('core').version);
  expect(newest).toContain(`\n- ${NOTE}\n`);
  for (const folder of folders.filter((each) => each !== 'packages/core')) {
    expect(existsSync(join(copy, `${folder}/CHANGELOG.md`))).toBe(true);
    expect(read(`${folder}/CHANGELOG.md`)).not.toContain(NOTE);
    expect(read(`${folder}/CHANGELOG.md`)).not.toContain('Updated dependencies');
  }
});

test('no changeset is left, and the repository is ready for the next one', () => {
  expect(readdirSync(join(copy, '.changeset')).filter((name) => name.endsWith('.md'))).toEqual([]);
  expect(script('changeset', [])).toBe('');
}, 30_000);

test('a major change is refused before 1.0, with the way out', () => {
  const path = join(copy, '.changeset/too-much.md');
  writeFileSync(path, `---\n'@proto/core': major\n---\n\nToo much.\n`);
  try {
    expect(() => script('changeset', [])).toThrow(/too-much\.md: a major change would release 1\.0.*pnpm changeset/s);
  } finally {
    rmSync(path);
  }
}, 30_000);

test.each(packages)('$name names its folder in the repository', ({ folder }) => {
  expect(manifestIn(relative(root, folder)).repository).toEqual({
    type: 'git',
    url: manifest('core').repository.url,
    directory: relative(root, folder),
  });
});

test.each([
  ['git+https://git.example.com/acme/wire.git', {}, 'npm run rename -- --repository'],
  ['git+https://github.com/acme/wire.git', { GITHUB_REPOSITORY: 'other/wire' }, 'other/wire publishes them'],
])('packages of the repository %s are not published with %j', (url, variables, text) => {
  const { repository, ...rest } = manifest('core');
  writeFileSync(
    join(copy, 'packages/core/package.json'),
    JSON.stringify({ ...rest, repository: { ...repository, url } }),
  );
  // Whatever happens, this test must not publish anything.
  const registry = { npm_config_registry: 'http://127.0.0.1:9' };
  expect(() => script('release', ['--publish'], { ...variables, ...registry })).toThrow(text);
});
