// The published agents that the project is tried with. npm fetches each into a cache, once.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { installed } from './published.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const SDK = '@anthropic-ai/claude-agent-sdk';

// The last version for Node, and the last native version that connects to a server that is not its vendor's.
const OLDER = [
  { name: '@anthropic-ai/claude-code', version: '2.1.112', file: 'cli.js' },
  { name: `@anthropic-ai/claude-code-linux-${process.arch}`, version: '2.1.120', file: 'claude' },
];

/** The path of the native agent of the SDK's version in the catalog. */
export function nativeAgent() {
  return fetched({ name: `${SDK}-linux-${process.arch}`, version: sdkVersion(), file: 'claude' });
}

/** The paths of older agents, the oldest first. */
export function olderAgents() {
  return OLDER.map(fetched);
}

/** The version of the native agent, and its path. */
export function nativeAgentByVersion() {
  // The agent has the last part of its version in common with the SDK that brings it.
  const [, , patch] = sdkVersion().split('.');
  return { [`2.1.${patch}`]: [nativeAgent()] };
}

function sdkVersion() {
  const catalog = readFileSync(join(root, 'pnpm-workspace.yaml'), 'utf8');
  const version = new RegExp(`^ +'${SDK}': (\\S+)$`, 'm').exec(catalog)?.[1];
  if (version === undefined) throw new Error(`the catalog has no version of ${SDK}`);
  return version;
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
