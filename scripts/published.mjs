// Runs published programs without a network, for `pnpm interop:claude`, `pnpm interop:acp` and `pnpm conformance:published`: in a network namespace that has only the
// loopback device, with a clean environment. Linux only.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const DEFAULT_TIMEOUT_MS = 480_000;
// A published program may need a newer Node than this repository. In that case, it runs on a Node version that is fetched together with the program.
const INSTALL_FLAGS = ['--engine-strict=false', '--no-audit', '--no-fund', '--loglevel=error'];

/**
 * Returns a folder of the cache with an installation, which `npm` makes unless the folder is there. No script of a package runs, and no optional
 * dependency is installed.
 * @param {{ readonly cache: string, readonly name: string, readonly args: readonly string[], readonly prepare?: (folder: string) => void }} installation
 */
export function installed({ cache, name, args, prepare }) {
  const folder = join(root, 'node_modules/.cache', cache, name);
  if (existsSync(folder)) return folder;
  console.log(`Fetching ${name}`);
  // The folder gets its final name when it is complete, so an interrupted download is never used.
  const part = `${folder}.part`;
  rmSync(part, { recursive: true, force: true });
  mkdirSync(part, { recursive: true });
  prepare?.(part);
  const { status } = spawnSync(
    'npm',
    [...args, '--prefix', part, '--ignore-scripts', '--omit=optional', ...INSTALL_FLAGS],
    {
      stdio: ['ignore', 'inherit', 'inherit'],
    },
  );
  if (status !== 0) throw new Error(`npm cannot install ${name}`);
  renameSync(part, folder);
  return folder;
}

/**
 * Runs a program of `tests` without a network, and leaves no process: every process of a namespace ends with its first process. Returns the exit
 * code.
 * @param {string} program the path of the program below `tests`
 * @param {readonly string[]} args its arguments
 * @param {number} [timeoutMs] the time after which the program is ended. Default 480 000.
 */
export function runIsolated(program, args, timeoutMs = DEFAULT_TIMEOUT_MS) {
  if (process.platform !== 'linux')
    throw new Error('published programs are tried on Linux only: they need a network namespace');
  const namespaces = ['--net', '--pid', '--fork', '--kill-child', '--mount-proc'];
  // A user who is not root becomes root inside the namespace.
  const asRoot = process.getuid?.() === 0 ? [] : ['--user', '--map-root-user'];
  const main = join(root, 'tests', program);
  // The shell keeps running, because the first process of the namespace has to reap the children that other processes leave.
  const inside = ['sh', '-c', 'ip link set lo up && "$@"; exit $?', 'sh', process.execPath, main, ...args];
  const { status, signal, error } = spawnSync('unshare', [...asRoot, ...namespaces, ...inside], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { PATH: process.env['PATH'], LANG: 'C.UTF-8' },
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
  });
  if (error !== undefined) throw error;
  if (signal !== null) throw new Error(`the run was terminated by ${signal}`);
  return status ?? 1;
}
