// Drives the native agent with our host, against a scripted Messages API: node scripts/interop-claude.mjs [SCENARIO…]
// The published binary comes by npm, at the version of the SDK in the catalog, into a cache of its own. It runs with a dummy key in
// a network namespace that has nothing but the loopback device, and in no other way. Linux only.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { pnpm } from './pnpm.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const TIMEOUT_MS = 240_000;

/** The path of the agent, which is fetched where it is not there. */
function fetchAgent() {
  const sdk = '@anthropic-ai/claude-agent-sdk';
  const catalog = readFileSync(join(root, 'pnpm-workspace.yaml'), 'utf8');
  const version = new RegExp(`^ +'${sdk}': (\\S+)$`, 'm').exec(catalog)?.[1];
  if (version === undefined) throw new Error(`the catalog has no version of ${sdk}`);
  const name = `${sdk}-linux-${process.arch}`;
  const folder = join(root, 'node_modules/.cache/native-claude', version);
  const file = join(folder, 'node_modules', name, 'claude');
  if (existsSync(file)) return file;
  console.log(`Fetching ${name}@${version}`);
  // What is fetched in part is never in its place.
  const part = `${folder}.part`;
  for (const old of [folder, part]) rmSync(old, { recursive: true, force: true });
  mkdirSync(part, { recursive: true });
  const quiet = ['--no-save', '--no-package-lock', '--no-audit', '--no-fund', '--loglevel=error'];
  // Nothing of the package runs while it is installed.
  const args = ['install', '--prefix', part, '--ignore-scripts', ...quiet, `${name}@${version}`];
  const { status } = spawnSync('npm', args, { stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0) throw new Error(`npm cannot install ${name}@${version}`);
  renameSync(part, folder);
  return file;
}

/**
 * Runs the scenarios where there is no network, and leaves no process: all of them end with the first of their namespace.
 * @param {string} agent
 * @param {readonly string[]} names
 */
function runIsolated(agent, names) {
  const namespaces = ['--net', '--pid', '--fork', '--kill-child', '--mount-proc'];
  // Whoever is not root becomes it in there.
  const asRoot = process.getuid?.() === 0 ? [] : ['--user', '--map-root-user'];
  const main = join(root, 'tests/interop-claude/main.mjs');
  // The shell stays, because the first process has to reap what others leave.
  const inside = ['sh', '-c', 'ip link set lo up && "$@"; exit $?', 'sh', process.execPath, main, agent, ...names];
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
  throw new Error('the native agent is tried on Linux only: it needs a network namespace');
const built = pnpm(['exec', 'turbo', 'run', 'build', '--filter=@proto/tests^...', '--output-logs=errors-only']);
process.exitCode = built || runIsolated(fetchAgent(), process.argv.slice(2));
