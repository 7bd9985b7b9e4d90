// Runs pnpm in the version that `packageManager` of package.json names: node scripts/pnpm.mjs ARGS…
// npx fetches pnpm, so a machine needs only Node and npm. If pnpm in this version has started the script, that pnpm is used directly.
// The child finds `pnpm` on its PATH in either case, because turbo asks for it.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const { packageManager } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const version = /^pnpm@([^+]+)/.exec(packageManager)?.[1];

/** How to start pnpm: the words before its own arguments, its environment, and whether it needs a shell. */
export function pnpmCommand() {
  const inside = process.env['npm_config_user_agent']?.startsWith(`pnpm/${version} `);
  const [command, ...args] = inside ? ['pnpm'] : ['npx', '--yes', `pnpm@${version}`];
  const env = { ...process.env, TURBO_TELEMETRY_DISABLED: '1', DO_NOT_TRACK: '1' };
  return { command, args, env, shell: process.platform === 'win32' };
}

/**
 * Runs pnpm in the root folder and returns its exit code. pnpm gets no stdin, so it cannot wait for an answer.
 * @param {readonly string[]} args
 */
export function pnpm(args) {
  const { command, args: first, env, shell } = pnpmCommand();
  const { status, error } = spawnSync(command, [...first, ...args], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env,
    shell,
  });
  if (error !== undefined) console.error(`${command}: ${error.message}`);
  return status ?? 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = pnpm(process.argv.slice(2));
