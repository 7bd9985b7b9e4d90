/** The packages as a stranger gets them: packed, installed by npm into a project of their own, and used in every way. */
import { execFileSync } from 'node:child_process';
import {
  cpSync,
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
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'packed-'));
const tarballs = join(scratch, 'tarballs');
const project = join(scratch, 'project');

const packages = readdirSync(join(root, 'packages'))
  .map((name) => ({ folder: join(root, 'packages', name), ...readJson(join(root, 'packages', name, 'package.json')) }))
  .filter((manifest) => manifest.private !== true);

// Of an entry with many modules some.
const MODULES = ['from-agent', 'control/requests', 'acted-on'];

/** Every name that can be imported, such as `@proto/core/framing`. */
const entries = packages.flatMap(({ name, exports = {} }) =>
  Object.keys(exports)
    .filter((entry) => !entry.endsWith('.json'))
    .flatMap((entry) => (entry.endsWith('/*') ? MODULES.map((module) => entry.replace('*', module)) : entry))
    .map((entry) => name + entry.slice(1)),
);

/** Those which need no Node. */
const neutral = entries.filter((entry) =>
  /^@proto\/core\b|^@proto\/(host|agent|recording|reference-agent|adapters|transport-websocket)$/.test(entry),
);

interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly exports?: Readonly<Record<string, unknown>>;
  readonly bin?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

function readJson(path: string): Manifest {
  return JSON.parse(readFileSync(path, 'utf8')) as Manifest;
}

/** What a program prints in the project; throws with all it printed when it fails. */
function run(program: string, ...args: readonly string[]): string {
  try {
    return execFileSync(program, args, { cwd: project, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (cause) {
    const { stdout, stderr } = cause as { stdout?: string; stderr?: string };
    throw new Error(`${program} ${args.join(' ')}\n${stdout}${stderr}`);
  }
}

function write(name: string, text: string): void {
  writeFileSync(join(project, name), text);
}

beforeAll(() => {
  mkdirSync(project, { recursive: true });
  write('package.json', JSON.stringify({ name: 'consumer', private: true, type: 'module' }));
  run(process.execPath, join(root, 'scripts/pack.mjs'), tarballs);
  const own = readdirSync(tarballs).map((name) => join(tarballs, name));
  // Nothing is fetched: dependencies of others are the copies the workspace has.
  const others = packages.flatMap(({ folder, dependencies = {} }) =>
    Object.keys(dependencies)
      .filter((name) => !name.startsWith('@proto/'))
      .map((name) => realpathSync(join(folder, 'node_modules', name))),
  );
  const quiet = ['--offline', '--ignore-scripts', '--legacy-peer-deps', '--no-audit', '--no-fund'];
  run('npm', 'install', ...quiet, ...own, ...new Set(others));
  // What a user's project brings along: our peers, and Node's types.
  mkdirSync(join(project, 'node_modules/@types'), { recursive: true });
  const peers = packages.flatMap(({ folder, peerDependencies = {} }) =>
    Object.keys(peerDependencies).map((name) => [name, join(folder, 'node_modules', name)] as const),
  );
  for (const [name, path] of new Map([...peers, ['@types/node', join(root, 'node_modules/@types/node')]])) {
    symlinkSync(realpathSync(path), join(project, 'node_modules', name));
  }
}, 60_000);

afterAll(() => rmSync(scratch, { recursive: true, force: true }));

test.each(packages)('$name holds what it needs and nothing else', ({ name }) => {
  const folder = join(project, 'node_modules', name);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  expect(files).toEqual(expect.arrayContaining(['LICENSE', 'README.md']));
  expect(files.filter((file) => file.includes('.test'))).toEqual([]);
  expect(readFileSync(join(folder, 'package.json'), 'utf8')).not.toMatch(/@proto\/source|"workspace:|"catalog:/);
});

test('every entry can be imported', () => {
  write(
    'import.js',
    `for (const entry of ${JSON.stringify(entries)}) console.log(Object.keys(await import(entry)).length);`,
  );
  expect(run(process.execPath, 'import.js').trim().split('\n').map(Number)).not.toContain(0);
});

test('every entry can be required', () => {
  write(
    'require.cjs',
    `for (const entry of ${JSON.stringify(entries)}) console.log(Object.keys(require(entry)).length);`,
  );
  expect(run(process.execPath, 'require.cjs').trim().split('\n').map(Number)).not.toContain(0);
});

describe('types', () => {
  const tsc = join(root, 'node_modules/.bin/tsc');
  const imports = (names: readonly string[]): string =>
    `${names.map((entry, n) => `import * as m${n} from '${entry}';`).join('\n')}\nexport default [${names.map((_, n) => `m${n}`).join(', ')}];\n`;
  const compilerOptions = { module: 'NodeNext', target: 'ES2022', strict: true, skipLibCheck: false, noEmit: true };

  test('hold in a Node program', () => {
    write('node.ts', imports(entries));
    write(
      'tsconfig.json',
      JSON.stringify({ compilerOptions: { ...compilerOptions, types: ['node'] }, files: ['node.ts'] }),
    );
    run(tsc, '-p', 'tsconfig.json');
  }, 30_000);

  test('hold in what the packages show of themselves', () => {
    const readmes = packages.map(({ name }) => join(project, 'node_modules', name, 'README.md'));
    const samples = [...readmes, join(root, 'docs/messages.md')].flatMap((page) =>
      Array.from(readFileSync(page, 'utf8').matchAll(/```ts\n(.*?)```/gs), ([, code = '']) => code),
    );
    expect(samples.length).toBeGreaterThan(5);
    const files = samples.map((code, n) => {
      write(`sample-${n}.ts`, `${code}export {};\n`);
      return `sample-${n}.ts`;
    });
    const options = { compilerOptions: { ...compilerOptions, types: ['node'] }, files };
    write('tsconfig.samples.json', JSON.stringify(options));
    run(tsc, '-p', 'tsconfig.samples.json');
  }, 30_000);

  test('hold in a web page', () => {
    write('page.ts', imports(neutral));
    const lib = ['ES2023', 'ESNext.Disposable', 'DOM', 'DOM.Iterable'];
    write(
      'tsconfig.page.json',
      JSON.stringify({ compilerOptions: { ...compilerOptions, lib, types: [] }, files: ['page.ts'] }),
    );
    run(tsc, '-p', 'tsconfig.page.json');
  }, 30_000);

  test('hold without zod, but for the schemas', () => {
    const bare = join(scratch, 'bare');
    for (const name of ['core', 'host', 'agent', 'recording']) {
      const folder = join('node_modules/@proto', name);
      cpSync(join(project, folder), join(bare, folder), { recursive: true });
    }
    writeFileSync(join(bare, 'package.json'), JSON.stringify({ type: 'module' }));
    const core = entries.filter(
      (entry) => /^@proto\/(core|host|agent|recording)\b/.test(entry) && !/^@proto\/core\/(drift|schemas)/.test(entry),
    );
    writeFileSync(join(bare, 'page.ts'), imports(core));
    const lib = ['ES2023', 'ESNext.Disposable', 'DOM', 'DOM.Iterable'];
    const options = { ...compilerOptions, lib, types: [] };
    writeFileSync(join(bare, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: ['page.ts'] }));
    run(tsc, '-p', join(bare, 'tsconfig.json'));
  }, 30_000);
});

test('a web page can be bundled', async () => {
  const contents = neutral.map((entry) => `export * from '${entry}';`).join('\n');
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: project },
    bundle: true,
    format: 'esm',
    platform: 'browser',
    write: false,
    logLevel: 'silent',
  });
  expect(outputFiles).toHaveLength(1);
});

test.each(packages.flatMap(({ bin = {} }) => Object.keys(bin)))('%s starts', (name) => {
  expect(run(join(project, 'node_modules/.bin', name), '--version')).toMatch(/\d+\.\d+\.\d+/);
});
