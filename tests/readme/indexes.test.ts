/** The indexes of the documents, of the examples and of the packages, compared with the folders; and the picture of the README with its source. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { LONGEST } from '../tiers.ts';
import { packageFolders } from '../workspace.ts';

const { LONG_EXAMPLES } = (await import(new URL('../../scripts/tiers.mjs', import.meta.url).href)) as {
  readonly LONG_EXAMPLES: readonly string[];
};
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const linksOf = (text: string) => Array.from(text.matchAll(/\]\(([^)#]+)[^)]*\)/g), ([, link = '']) => link);
const manifestOf = (folder: string) => JSON.parse(read(`${folder}/package.json`)) as Manifest;
const foldersIn = (parent: string) =>
  readdirSync(join(ROOT, parent), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);

interface Manifest {
  readonly name: string;
  readonly description: string;
  readonly private?: boolean;
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies?: object;
  readonly devDependencies?: object;
}

test('docs/README.md has one line for each page', () => {
  const pages = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.md') && path !== 'README.md');
  const lines = read('docs/README.md').split('\n');
  const listed = lines.filter((line) => line.startsWith('- ')).flatMap((line) => linksOf(line).slice(0, 1));
  expect(listed.sort()).toEqual(pages.sort());
});

describe('examples/README.md', () => {
  const rows = Array.from(
    read('examples/README.md').matchAll(/^\| \[([\w-]+)\]\(([\w-]+)\) \| (.*) \| (.*) \|$/gm),
    ([, name, folder = '', description, packages]) => ({ name, folder, description, packages: packages?.split(' ') }),
  );

  test('has a row for each example', () => {
    expect(rows.map(({ folder }) => folder).sort()).toEqual(foldersIn('examples').sort());
  });

  test.each(rows)('says of $name what its package.json says', ({ name, folder, description, packages }) => {
    const manifest = manifestOf(`examples/${folder}`);
    const used = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies });
    const ours = used.filter((one) => one.startsWith('@proto/')).map((one) => `\`${one.slice('@proto/'.length)}\``);
    expect({ name, description, packages: packages?.sort() }).toEqual({
      name: folder,
      description: manifest.description,
      packages: ours.sort(),
    });
    // `npm test` and `pnpm test:system` run this script of every example.
    expect(manifest.scripts['example']).toMatch(/^node main\.mjs/);
  });

  test('is run by the two test runs: the long examples by one, all others by the other', () => {
    expect(foldersIn('examples')).toEqual(expect.arrayContaining([...LONG_EXAMPLES]));
    expect(read('scripts/test.mjs')).toMatch(/'run', 'build', 'example'/);
    expect(read('scripts/test-system.mjs')).toMatch(/'example',\s*\.\.\.LONG_EXAMPLES/);
  });
});

test('the longest test files, with which the long tests begin, exist', () => {
  expect(LONGEST.filter((name) => !existsSync(join(ROOT, 'tests', name)))).toEqual([]);
});

test('the README lists each published package once', () => {
  const published = packageFolders().map(manifestOf);
  const names = published.filter((one) => one.private !== true).map(({ name }) => name);
  const listed = Array.from(
    read('README.md').matchAll(/\[`(@proto\/[\w-]+)`\]\((?:packages|server|apps|conformance)\//g),
    ([, name = '']) => name,
  );
  expect(listed.sort()).toEqual(names.sort());
});

test('the README is at most 200 lines long', () => {
  expect(read('README.md').split('\n').length).toBeLessThanOrEqual(200);
});

test('the picture of the README is drawn from its source', () => {
  execFileSync(process.execPath, [join(ROOT, 'scripts/picture.mjs'), '--check'], { stdio: 'pipe' });
});
