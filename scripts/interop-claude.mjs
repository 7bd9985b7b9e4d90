// Drives the native agent with our host, and older agents as workers of our ingress, against a scripted Messages API:
// node scripts/interop-claude.mjs [SCENARIO…]
// npm fetches the published agents into a cache of their own. They run with a dummy key, in a network namespace that has only the loopback device.
// Linux only.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { pnpm } from './pnpm.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const TIMEOUT_MS = 480_000;

const SDK = '@anthropic-ai/claude-agent-sdk';
// The last version for Node, and the last native version that connects to a server that is not its vendor's.
const WORKERS = [
  { name: '@anthropic-ai/claude-code', version: '2.1.112', file: 'cli.js' },
  { name: `@anthropic-ai/claude-code-linux-${process.arch}`, version: '2.1.120', file: 'claude' },
];

/** The native agent of the SDK's version in the catalog. */
function nativeAgent() {
  const catalog = readFileSync(join(root, 'pnpm-workspace.yaml'), 'utf8');
  const version = new RegExp(`^ +'${SDK}': (\\S+)$`, 'm').exec(catalog)?.[1];
  if (version === undefined) throw new Error(`the catalog has no version of ${SDK}`);
  return { name: `${SDK}-linux-${process.arch}`, version, file: 'claude' };
}

/**
 * The path of a file of a published package. Fetches the package if it is missing.
 * @param {{ readonly name: string, readonly version: string, readonly file: string }} wanted
 */
function fetched({ name, version, file }) {
  const folder = join(root, 'node_modules/.cache/interop-claude', `${name.replace('/', '+')}@${version}`);
  const path = join(folder, 'node_modules', name, file);
  if (existsSync(path)) return path;
  console.log(`Fetching ${name}@${version}`);
  // The package gets its final name when it is complete, so an interrupted download is never used.
  const part = `${folder}.part`;
  for (const old of [folder, part]) rmSync(old, { recursive: true, force: true });
  mkdirSync(part, { recursive: true });
  const quiet = ['--no-save', '--no-package-lock', '--no-audit', '--no-fund', '--loglevel=error'];
  // No script of the package runs during the installation.
  const args = ['install', '--prefix', part, '--ignore-scripts', '--omit=optional', ...quiet, `${name}@${version}`];
  const { status } = spawnSync('npm', args, { stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0) throw new Error(`npm cannot install ${name}@${version}`);
  renameSync(part, folder);
  return path;
}

/**
 * Runs the scenarios without a network, and leaves no process: every process of a namespace ends with its first process.
 * @param {readonly string[]} args the agents and the names of the scenarios
 */
function runIsolated(args) {
  const namespaces = ['--net', '--pid', '--fork', '--kill-child', '--mount-proc'];
  // A user who is not root becomes root inside the namespace.
  const asRoot = process.getuid?.() === 0 ? [] : ['--user', '--map-root-user'];
  const main = join(root, 'tests/interop-claude/main.mjs');
  // The shell stays, because the first process has to reap the children that other processes leave.
  const inside = ['sh', '-c', 'ip link set lo up && "$@"; exit $?', 'sh', process.execPath, main, ...args];
  const { status, signal, error } = spawnSync('unshare', [...asRoot, ...namespaces, ...inside], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { PATH: process.env['PATH'], LANG: 'C.UTF-8' },
    timeout: TIMEOUT_MS,
    killSignal: 'SIGKILL',
  });
  if (error !== undefined) throw error;
  if (signal !== null) throw new Error(`the run was ended by ${signal}`);
  return status ?? 1;
}

if (process.platform !== 'linux')
  throw new Error('the published agents are tried on Linux only: they need a network namespace');
const built = pnpm(['exec', 'turbo', 'run', 'build', '--filter=@proto/tests^...', '--output-logs=errors-only']);
process.exitCode = built || runIsolated([fetched(nativeAgent()), ...WORKERS.map(fetched), ...process.argv.slice(2)]);
