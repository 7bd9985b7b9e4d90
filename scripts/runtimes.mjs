// Runs our packages in Bun, in Deno, in workerd and in newer versions of Node: npm run runtimes. With --fetch it only fetches the programs. npm fetches each program
// once, into node_modules/.cache (570 MB together).
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const cache = join(root, 'node_modules/.cache/runtimes');
const { platform, arch } = process;
const cpu = arch === 'arm64' ? 'aarch64' : 'x64';
const ending = platform === 'win32' ? '.exe' : '';
const libc = platform === 'linux' ? '-glibc' : '';

/** The package with the program for this machine, and the path of the program in the package. */
const runtimes = [
  {
    name: 'bun',
    version: '1.4.4',
    from: `@oven/bun-${platform === 'win32' ? 'windows' : platform}-${cpu}`,
    path: 'bin/bun',
  },
  { name: 'deno', version: '2.9.6', from: `@deno/${platform}-${arch}${libc}`, path: 'deno' },
  {
    name: 'workerd',
    version: '1.20261117.1',
    from: `@cloudflare/workerd-${platform === 'win32' ? 'windows' : platform}-${arch === 'arm64' ? 'arm64' : '64'}`,
    path: 'bin/workerd',
  },
  ...['22.23.5', '24.22.3', '26.12.1'].map((version) => ({
    name: `node-${version.split('.')[0]}`,
    version,
    from: `node-${platform === 'win32' ? 'win' : platform}-${arch}`,
    path: 'bin/node',
  })),
];

/**
 * Runs a command. Exits with the exit code of the command if the command fails.
 * @param {string} command
 * @param {readonly string[]} args
 */
function run(command, args, env = {}) {
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } });
  if (status !== 0) process.exit(status ?? 1);
}

for (const { name, version, from, path } of runtimes) {
  const stamp = join(cache, `${name}.version`);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === version) continue;
  const scratch = join(cache, `${name}.install`);
  mkdirSync(scratch, { recursive: true });
  // Runs without install scripts, because the package needs only its files.
  const flags = ['--ignore-scripts', '--no-save', '--no-package-lock', '--no-audit', '--no-fund', '--prefix', scratch];
  run('npm', ['install', ...flags, `${from}@${version}`]);
  copyFileSync(join(scratch, 'node_modules', from, `${path}${ending}`), join(cache, `${name}${ending}`));
  rmSync(scratch, { recursive: true });
  writeFileSync(stamp, version);
}
if (!process.argv.includes('--fetch')) {
  run(process.execPath, [
    'scripts/pnpm.mjs',
    'exec',
    'turbo',
    'run',
    'build',
    '--filter=@proto/tests^...',
    '--output-logs=errors-only',
  ]);
  run(
    process.execPath,
    [
      'scripts/pnpm.mjs',
      '--filter',
      '@proto/tests',
      'run',
      'test:system',
      'runtimes/other',
      'runtimes/first-program',
      'runtimes/transport-contract',
      'runtimes/entries',
      '--reporter=default',
    ],
    { RUNTIMES: '1' },
  );
}
