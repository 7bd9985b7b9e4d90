/**
 * Imports every entry of every published package in a project that has only the declared packages: its dependencies, its peers, and the packages that
 * these declare in turn, without the optional peers of other packages. Links to the packages of the workspace replace an installation.
 */
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { packageFolders } from '../workspace.ts';

interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly exports?: Readonly<Record<string, unknown>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

const root = fileURLToPath(new URL('../..', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'declared-'));
afterAll(() => rmSync(scratch, { recursive: true }));

const manifestOf = (folder: string) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
const packages = packageFolders()
  .map((path) => ({ folder: join(root, path), ...manifestOf(join(root, path)) }))
  .filter((one) => one.private !== true);

/** The entries that can be imported, except suites for vitest, which work only in vitest. Each module of a pattern is an entry. */
function entriesOf({ folder, name, exports = {} }: (typeof packages)[number]): readonly string[] {
  return Object.keys(exports)
    .filter((entry) => !entry.endsWith('.json') && !entry.endsWith('/vitest'))
    .flatMap((entry) => {
      if (!entry.endsWith('/*')) return name + entry.slice(1);
      const files = readdirSync(join(folder, 'dist', entry.slice(2, -2))).filter((file) => file.endsWith('.js'));
      return files.map((file) => `${name}${entry.slice(1, -1)}${file.slice(0, -'.js'.length)}`);
    });
}

/** The folder of a dependency: in `node_modules` of the package, or, in the store of pnpm, next to the package. */
function findFolder(from: string, name: string): string | undefined {
  const places = [
    join(from, 'node_modules', name),
    join(from, ...(manifestOf(from).name.includes('/') ? ['..', '..'] : ['..']), name),
  ];
  const found = places.find((place) => existsSync(place));
  return found === undefined ? undefined : realpathSync(found);
}

/** Makes a project whose `node_modules` has what a package declares. */
function projectOf({ name, folder }: { readonly name: string; readonly folder: string }): string {
  const modules = join(scratch, name, 'node_modules');
  const waiting = [{ name, folder }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const to = join(modules, next.name);
    if (existsSync(to)) continue;
    const isOurs = packages.some(({ folder: own }) => own === next.folder);
    mkdirSync(isOurs ? to : dirname(to), { recursive: true });
    // Only the published files of our packages are linked, because their folders also contain the dependencies of their tests.
    if (!isOurs) symlinkSync(next.folder, to);
    else for (const part of ['package.json', 'dist']) symlinkSync(join(next.folder, part), join(to, part));
    const { dependencies = {}, peerDependencies = {}, peerDependenciesMeta: about = {} } = manifestOf(next.folder);
    const isOwn = next.name === name;
    const peers = Object.keys(peerDependencies).filter((peer) => isOwn || about[peer]?.optional !== true);
    for (const needed of [...Object.keys(dependencies), ...peers]) {
      const found = findFolder(next.folder, needed);
      if (found !== undefined) waiting.push({ name: needed, folder: found });
    }
  }
  return dirname(modules);
}

const IMPORT_ALL = `
  const failed = [];
  for (const entry of process.argv.slice(2)) {
    await import(entry).catch(({ message }) => failed.push(entry + ': ' + message.split('\\n')[0]));
  }
  console.log(JSON.stringify(failed));
  process.exit();
`;

test.each(packages.filter((one) => entriesOf(one).length > 0))(
  '$name is imported with what it declares',
  (one) => {
    const cwd = projectOf(one);
    writeFileSync(join(cwd, 'import-all.mjs'), IMPORT_ALL);
    // The link is not resolved, because Node would find undeclared dependencies from its target.
    const links = ['--preserve-symlinks', '--preserve-symlinks-main'];
    const output = execFileSync(process.execPath, [...links, 'import-all.mjs', ...entriesOf(one)], {
      cwd,
      encoding: 'utf8',
    });
    expect(JSON.parse(output)).toEqual([]);
  },
  30_000,
);
