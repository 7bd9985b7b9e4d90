/** Compares which packages each package imports with its dependencies and with docs/architecture.md. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { packageFolders } from '../workspace.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

interface Manifest {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

const manifests = new Map(
  packageFolders().map((folder) => [
    folder,
    JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest,
  ]),
);

const OURS = '@proto/';
const short = (name: string): string => name.slice(OURS.length);

/** A source without its docstrings, whose examples import what the reader needs. */
const withoutComments = (source: string): string => source.replaceAll(/^ *\/\*\*.*?\*\/$/gms, '');

/** The packages of ours that the sources of a package name in an import, tests left out. */
function importsOf(folder: string): readonly string[] {
  const own = manifests.get(folder)?.name ?? '';
  const files = readdirSync(join(root, folder, 'src'), { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.tsx?$/.test(file) && !/\.test(-support|-d)?\.tsx?$/.test(file),
  );
  const found = files.flatMap((file) =>
    Array.from(
      withoutComments(readFileSync(join(root, folder, 'src', file), 'utf8')).matchAll(
        /\b(?:from|import)\s*\(?\s*'@proto\/([\w-]+)/g,
      ),
      ([, name = '']) => name,
    ),
  );
  return [...new Set(found)].filter((name) => name !== short(own)).sort();
}

/** The packages of each row in the tables of docs/architecture.md: the second cell names what the first imports. */
const documented = new Map(
  Array.from(
    readFileSync(join(root, 'docs/architecture.md'), 'utf8').matchAll(
      /^\| `([a-z-]+)` \| ((?:`[a-z-]+`(?:, )?)*|everything) \|/gm,
    ),
    ([, name = '', imports = '']) => [name, imports] as const,
  ),
);

test('docs/architecture.md has each package', () => {
  expect([...documented.keys()].sort()).toEqual([...manifests.values()].map(({ name }) => short(name)).sort());
});

test.each(packageFolders())('%s imports what its row says, and what it declares', (folder) => {
  const { name, dependencies = {} } = manifests.get(folder) as Manifest;
  const imported = importsOf(folder);
  const row = documented.get(short(name));
  if (row === 'everything') return;
  const declared = Object.keys(dependencies)
    .filter((other) => other.startsWith(OURS))
    .map(short);
  expect(imported).toEqual(declared.sort());
  expect(Array.from(row?.matchAll(/`([a-z-]+)`/g) ?? [], ([, other]) => other)).toEqual(imported);
});

test('no package imports itself by way of others', () => {
  const open = new Map([...manifests].map(([folder, { name }]) => [short(name), importsOf(folder)]));
  const isLeaf = (imports: readonly string[]): boolean => !imports.some((name) => open.has(name));
  for (let leaf; (leaf = [...open].find(([, imports]) => isLeaf(imports))); ) open.delete(leaf[0]);
  expect([...open.keys()]).toEqual([]);
});
