// Drives the native agent with our host, and older agents as workers of our ingress, against a scripted Messages API:
// node scripts/interop-claude.mjs [SCENARIO…]
// npm fetches the published agents into a cache of their own. They run with a dummy key, in a network namespace that has only the loopback device.
// Linux only.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { pnpm } from './pnpm.mjs';
import { installed, runIsolated } from './published.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

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
  const args = ['install', '--no-save', '--no-package-lock', `${name}@${version}`];
  const folder = installed({ cache: 'interop-claude', name: `${name.replace('/', '+')}@${version}`, args });
  return join(folder, 'node_modules', name, file);
}

const built = pnpm(['exec', 'turbo', 'run', 'build', '--filter=@proto/tests^...', '--output-logs=errors-only']);
process.exitCode =
  built ||
  runIsolated('interop-claude/main.mjs', [fetched(nativeAgent()), ...WORKERS.map(fetched), ...process.argv.slice(2)]);
