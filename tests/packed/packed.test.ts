/** Uses the packages as a user gets them: packed, and installed by npm into a separate project. */
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { entries, imports, install, neutral, packages, project, root, run, scratch, write } from './packed-project.ts';

beforeAll(install, 180_000);
afterAll(() => rmSync(scratch, { recursive: true, force: true }), 60_000);

test.each(packages)('$name contains the files it needs and no others', ({ name }) => {
  const folder = join(project, 'node_modules', name);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  expect(files).toEqual(expect.arrayContaining(['LICENSE', 'README.md']));
  expect(files.filter((file) => file.includes('.test'))).toEqual([]);
  expect(readFileSync(join(folder, 'package.json'), 'utf8')).not.toMatch(/@proto\/source|"workspace:|"catalog:/);
});

test.each(packages)('$name says in its package.json what a registry shows', ({ name }) => {
  const folder = join(project, 'node_modules', name);
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<string, unknown>;
  expect(manifest).toMatchObject({
    description: expect.stringMatching(/^.{20,160}$/),
    keywords: expect.arrayContaining(['stream-json', 'agent']),
    license: 'MIT',
    homepage: expect.stringMatching(/^https:\/\/.*#readme$/),
    bugs: expect.stringMatching(/^https:\/\/.*\/issues$/),
    repository: { type: 'git', url: expect.stringMatching(/^git\+https:\/\/.*\.git$/), directory: expect.any(String) },
    type: 'module',
    engines: { node: '>=20.19' },
    files: expect.arrayContaining(['dist', 'CHANGELOG.md']),
    publishConfig: { access: 'public', provenance: true },
  });
  // A bundler may drop code that a program does not use. The commands have no entry to import.
  if (name !== '@proto/cli') expect(manifest['sideEffects']).toBe(false);
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

describe('the types of the packages', () => {
  const tsc = join(root, 'node_modules/.bin/tsc');
  const compilerOptions = { module: 'NodeNext', target: 'ES2022', strict: true, skipLibCheck: false, noEmit: true };

  test('compile in a Node program', () => {
    write('node.ts', imports(entries));
    write(
      'tsconfig.json',
      JSON.stringify({ compilerOptions: { ...compilerOptions, types: ['node'] }, files: ['node.ts'] }),
    );
    run(tsc, '-p', 'tsconfig.json');
  }, 30_000);

  test('compile in the declaration files of the packages themselves', () => {
    const readmes = packages.map(({ name }) => join(project, 'node_modules', name, 'README.md'));
    const samples = [...readmes, join(root, 'docs/messages.md')].flatMap((page) =>
      Array.from(readFileSync(page, 'utf8').matchAll(/```ts\n(.*?)```/gs), ([, code = '']) => code),
    );
    expect(samples.length).toBeGreaterThan(5);
    // tests/readme compiles the samples that need the MCP SDK, because the project in this test does not have the MCP SDK.
    const alone = samples.filter((code) => !code.includes('@modelcontextprotocol/'));
    const files = alone.map((code, n) => {
      write(`sample-${n}.ts`, `${code}export {};\n`);
      return `sample-${n}.ts`;
    });
    const options = { compilerOptions: { ...compilerOptions, types: ['node'] }, files };
    write('tsconfig.samples.json', JSON.stringify(options));
    run(tsc, '-p', 'tsconfig.samples.json');
  }, 30_000);

  test('compile in a web page', () => {
    write('page.ts', imports(neutral));
    const lib = ['ES2023', 'ESNext.Disposable', 'DOM', 'DOM.Iterable'];
    write(
      'tsconfig.page.json',
      JSON.stringify({ compilerOptions: { ...compilerOptions, lib, types: [] }, files: ['page.ts'] }),
    );
    run(tsc, '-p', 'tsconfig.page.json');
  }, 30_000);

  test('compile without zod, except for the schemas', () => {
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
