/** What npm installs with our packages: no compiler, no SDK of others, and nothing that only tests and builds need. */
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { packageFolders } from '../workspace.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

const manifestIn = (folder: string) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;

/** The names that npm installs with a package: dependencies, those for this platform among the optional ones, and peers that are not optional. */
function neededBy(manifest: Manifest): readonly string[] {
  const { dependencies = {}, optionalDependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} } = manifest;
  const peers = Object.keys(peerDependencies).filter((name) => peerDependenciesMeta[name]?.optional !== true);
  return [...Object.keys(dependencies), ...Object.keys(optionalDependencies), ...peers];
}

/** The folder in which a package finds another one, as Node looks for it. */
function find(name: string, from: string): string | undefined {
  const folder = join(from, 'node_modules', name);
  if (existsSync(folder)) return realpathSync(folder);
  return dirname(from) === from ? undefined : find(name, dirname(from));
}

/** The names of all packages that are installed with the package in a folder, each with the packages that bring it. */
function installedWith(folder: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const waiting = [{ folder, path: manifestIn(folder).name }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const manifest = manifestIn(next.folder);
    for (const name of neededBy(manifest)) {
      const place = find(name, next.folder);
      const isOptional = manifest.optionalDependencies?.[name] !== undefined;
      if (place === undefined && !isOptional) throw new Error(`${next.path} needs ${name}, which is not installed`);
      if (place === undefined || found.has(name)) continue;
      const path = `${next.path} > ${name}`;
      found.set(name, path);
      waiting.push({ folder: place, path });
    }
  }
  return found;
}

const NOT_FOR_USERS =
  /^(?:typescript|esbuild|vite|vitest|rollup|fast-check|knip|@modelcontextprotocol\/.*|@anthropic-ai\/.*|@types\/.*)$/;
const forbidden = (folder: string) =>
  Array.from(installedWith(folder)).flatMap(([name, path]) => (NOT_FOR_USERS.test(name) ? [path] : []));

const published = packageFolders()
  .map((path) => join(ROOT, path))
  .filter((folder) => manifestIn(folder).private !== true)
  .map((folder) => ({ name: manifestIn(folder).name, folder }));

test('the published packages are found', () => {
  expect(published.length).toBeGreaterThan(15);
});

test.each(published)('$name brings no compiler, no SDK of others, and no tool of tests', ({ folder }) => {
  expect(forbidden(folder)).toEqual([]);
});

test('a package that brings an SDK is found', () => {
  const sdk = find('@anthropic-ai/claude-agent-sdk', join(ROOT, 'tests')) ?? '';
  expect(forbidden(sdk)).toContain('@anthropic-ai/claude-agent-sdk > @modelcontextprotocol/sdk');
});
