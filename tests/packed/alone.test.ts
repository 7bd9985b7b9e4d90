/** Each package on its own: imported, required and bundled where nothing is installed but what it declares. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { entries, imports, install, packages, project, scratch } from './packed-project.ts';

beforeAll(install, 180_000);
afterAll(() => rmSync(scratch, { recursive: true, force: true }), 60_000);

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

/** Makes a project in which a package finds what it declares, and what these packages declare in turn. */
function projectOf(name: string): string {
  const folder = join(scratch, 'alone', name);
  const waiting = [{ next: name, by: project }];
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    const { next, by } = one;
    const from = installedFor(by, next);
    const to = join(folder, 'node_modules', next);
    // An optional package is not installed here, so no entry may require it.
    if (existsSync(to) || from === undefined) continue;
    mkdirSync(dirname(to), { recursive: true });
    symlinkSync(from, to);
    const manifest = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8')) as Manifest;
    const { dependencies = {}, peerDependencies = {}, peerDependenciesMeta: about = {} } = manifest;
    // Optional peers of other packages may be missing.
    const peers = Object.keys(peerDependencies).filter((peer) => next === name || about[peer]?.optional !== true);
    waiting.push(...[...Object.keys(dependencies), ...peers].map((each) => ({ next: each, by: realpathSync(from) })));
  }
  writeFileSync(join(folder, 'package.json'), '{ "type": "module", "private": true }');
  return folder;
}

/** Where Node finds a package that the package in this folder asks for. */
function installedFor(folder: string, name: string): string | undefined {
  for (let at = folder; at !== dirname(at); at = dirname(at)) {
    const found = join(at, 'node_modules', name);
    if (existsSync(found)) return found;
  }
  return undefined;
}

// Suites for vitest work only in vitest.
const own = (name: string) =>
  entries.filter((entry) => (entry === name || entry.startsWith(`${name}/`)) && !entry.endsWith('/vitest'));

test.each(packages.filter(({ name }) => own(name).length > 0))(
  '$name is imported, required and bundled with what it declares',
  async ({ name }) => {
    const cwd = projectOf(name);
    // The link is not resolved, because Node would find undeclared dependencies from its target.
    const node = (file: string, code: string) => {
      writeFileSync(join(cwd, file), code);
      const args = ['--preserve-symlinks', '--preserve-symlinks-main', file];
      return execFileSync(process.execPath, args, { cwd, encoding: 'utf8', stdio: 'pipe' });
    };
    const list = JSON.stringify(own(name));
    const counts = `console.log(names.map((module) => Object.keys(module).length > 0).join())`;
    const all = own(name)
      .map(() => 'true')
      .join();
    expect(node('import.js', `const names = await Promise.all(${list}.map((entry) => import(entry))); ${counts}`)).toBe(
      `${all}\n`,
    );
    expect(node('require.cjs', `const names = ${list}.map((entry) => require(entry)); ${counts}`)).toBe(`${all}\n`);
    const { outputFiles, warnings } = await build({
      stdin: { contents: imports(own(name)), resolveDir: cwd },
      bundle: true,
      format: 'esm',
      platform: 'node',
      preserveSymlinks: true,
      // The dependencies of these packages are not linked here, because whether these packages can be bundled is not tested here.
      external: ['libsql', 'pg', 'prom-client', 'undici'],
      write: false,
      logLevel: 'silent',
    });
    expect([outputFiles.length, warnings]).toEqual([1, []]);
  },
  30_000,
);
