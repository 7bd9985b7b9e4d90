/** The scope and the names of the commands, changed in a copy of the repository. */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { root } from './packed-project.ts';

const scratch = mkdtempSync(join(tmpdir(), 'rename-'));
const copy = join(scratch, 'copy');
const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: copy, encoding: 'utf8' });
const rename = (...args: readonly string[]) =>
  execFileSync(process.execPath, ['scripts/rename.mjs', ...args], { cwd: copy, encoding: 'utf8', stdio: 'pipe' });

// Built and installed files are not part of the repository, and copying them takes a long time.
const LEFT_OUT = new Set(['node_modules', 'dist', '.git', '.turbo', '.vitest']);

beforeAll(() => {
  cpSync(root, copy, { recursive: true, filter: (path) => !LEFT_OUT.has(basename(path)) });
  git('init', '--quiet');
  git('add', '--all');
  git('-c', 'user.name=x', '-c', 'user.email=x@example.com', 'commit', '--quiet', '--message', 'as it stands');
}, 60_000);
afterAll(() => rmSync(scratch, { recursive: true, force: true }), 60_000);

test('scope and commands have their new names everywhere, and the wire keeps its own', () => {
  expect(rename('--scope', '@acme', '--bin', 'wire')).toMatch(/changed \d{3,} files, and the names of 3/);
  const files = git('ls-files', '--others', '--cached', '--exclude-standard')
    .split('\n')
    .filter((path) => existsSync(join(copy, path)));
  const left = files.filter(
    (path) => path !== '' && /@proto(?![\w-])|\bsjp\b(?!\.v\d)/.test(readFileSync(join(copy, path), 'utf8')),
  );
  expect(left).toEqual([]);
  const { name, bin } = JSON.parse(readFileSync(join(copy, 'packages/cli/package.json'), 'utf8')) as {
    name: string;
    bin: object;
  };
  expect({ name, bin }).toMatchObject({
    name: '@acme/cli',
    bin: { wire: './bin/wire.js', 'wire-agent': './bin/wire-agent.js' },
  });
  expect(existsSync(join(copy, 'packages/cli/bin/wire-agent.js'))).toBe(true);
  expect(readFileSync(join(copy, 'packages/transport-websocket/src/socket/socket.ts'), 'utf8')).toContain("'sjp.v1'");
});

test('each package names the repository that publishes it', () => {
  git('add', '--all');
  git('-c', 'user.name=x', '-c', 'user.email=x@example.com', 'commit', '--quiet', '--message', 'renamed');
  rename('--repository', 'https://github.com/acme/wire');
  const { repository, bugs, homepage } = JSON.parse(readFileSync(join(copy, 'packages/cli/package.json'), 'utf8')) as {
    repository: { url: string };
    bugs: string;
    homepage: string;
  };
  expect({ url: repository.url, bugs, homepage }).toEqual({
    url: 'git+https://github.com/acme/wire.git',
    bugs: 'https://github.com/acme/wire/issues',
    homepage: 'https://github.com/acme/wire/tree/main/packages/cli#readme',
  });
});

test('changes that are not committed are not mixed with the renaming', () => {
  expect(() => rename('--scope', '@other')).toThrow('commit your changes first');
});

test.each([[['--scope', 'acme']], [['--bin', 'A B']], [['--repository', 'acme/wire']], [[]]])(
  '%j is refused',
  (args) => {
    expect(() => rename(...args)).toThrow();
  },
);
