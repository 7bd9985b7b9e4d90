/** The lines about installing in the documents, run as they stand in an empty folder, with the packages of this repository. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { packages, root } from './packed-project.ts';

const scratch = mkdtempSync(join(tmpdir(), 'install-'));
const clone = join(scratch, 'proto');
const project = join(scratch, 'project');
const env = {
  ...process.env,
  npm_config_offline: 'true',
  npm_config_audit: 'false',
  npm_config_fund: 'false',
  npm_config_prefix: join(scratch, 'global'),
};

const readme = readFileSync(join(root, 'README.md'), 'utf8');
const section = /\n## Install\n(.*?)\n## /s.exec(readme)?.[1] ?? '';
const lines = Array.from(section.matchAll(/^\$ (.*?)(?: +#.*)?$/gm), ([, line = '']) => line);

function shell(command: string, cwd: string): string {
  return execFileSync('sh', ['-c', command], { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

let printed: readonly string[] = [];
beforeAll(() => {
  mkdirSync(project, { recursive: true });
  const pack = [join(root, 'scripts/pack.mjs'), join(clone, 'packed')];
  const output = execFileSync(process.execPath, pack, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  printed = output.split('\n').filter((line) => line.startsWith('npm install '));
}, 120_000);
afterAll(() => rmSync(scratch, { recursive: true, force: true }), 60_000);

test('the README packs the packages by a script that there is', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object };
  expect(lines).toContain('npm run pack');
  expect(Object.keys(scripts)).toContain('pack');
});

test('the commands are installed from a clone', () => {
  for (const line of lines.filter((text) => text.startsWith('npm install -g ./'))) shell(line, clone);
  expect(readdirSync(join(scratch, 'global/bin'))).toEqual(['sjp', 'sjp-agent', 'sjp-shim']);
  expect(shell(`${join(scratch, 'global/bin/sjp')} --version`, project)).toMatch(/^\d+\.\d+\.\d+\n$/);
}, 60_000);

test('a project installs packages from a clone, and the first program of the README runs in it', () => {
  const installs = lines.filter((text) => text.includes('/path/to/proto/'));
  expect(installs).toHaveLength(1);
  for (const line of installs) shell(line.replaceAll('/path/to/proto', clone), project);
  const [, program = ''] = /```ts\n(.*?)```/s.exec(readme) ?? [];
  expect(program).toContain("from '@proto/host'");
  // The example contains no types, so Node can run it without a build.
  writeFileSync(join(project, 'main.mjs'), program);
  const PATH = `${join(scratch, 'global/bin')}:${process.env['PATH']}`;
  expect(execFileSync(process.execPath, ['main.mjs'], { cwd: project, encoding: 'utf8', env: { ...env, PATH } })).toBe(
    'hello\n',
  );
}, 60_000);

test.each(packages)('the printed line for $name names every package that it needs', ({ name }) => {
  const filesOf = (line: string) => Array.from(line.matchAll(/proto-([\w-]+)\.tgz/g), ([, short]) => `@proto/${short}`);
  const files = printed.map(filesOf).find(([first]) => first === name) ?? [];
  expect(files).not.toEqual([]);
  const named = packages.filter((one) => files.includes(one.name));
  const needed = named.flatMap(({ dependencies = {}, peerDependencies = {} }) =>
    Object.keys({ ...dependencies, ...peerDependencies }).filter((one) => one.startsWith('@proto/')),
  );
  expect(needed.filter((one) => !files.includes(one))).toEqual([]);
});

test('the lines for the registry name packages that are published', () => {
  const named = lines
    .filter((line) => !line.includes('/packed/'))
    .flatMap((line) => Array.from(line.matchAll(/@proto\/[\w-]+/g), ([name]) => name));
  expect(named.length).toBeGreaterThan(2);
  const published = packages.map(({ name }) => name);
  expect(named.filter((name) => !published.includes(name))).toEqual([]);
});

test.each(packages)('the README of $name says how to install it', ({ name, folder, peerDependencies = {} }) => {
  expect(existsSync(join(folder, 'README.md'))).toBe(true);
  const text = readFileSync(join(folder, 'README.md'), 'utf8');
  const [, line = ''] = /^\$ (npm install .*)$/m.exec(text) ?? [];
  expect(line.split(' ')).toContain(name);
  // If a package does nothing without another package, its README names that package.
  for (const peer of Object.keys(peerDependencies)) if (peer !== 'vitest') expect(text).toContain(peer);
});
