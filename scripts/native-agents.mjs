// The published agents with which the project is tested. npm fetches each agent into a cache once.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { installed } from './published.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const SDK = '@anthropic-ai/claude-agent-sdk';

// The last version for Node, and the last native version that can connect to a server other than the vendor's.
const OLDER = [
  { name: '@anthropic-ai/claude-code', version: '2.1.112', file: 'cli.js' },
  { name: `@anthropic-ai/claude-code-linux-${process.arch}`, version: '2.1.120', file: 'claude' },
];

const QWEN_CODE = { name: '@qwen-code/qwen-code', version: '0.24.4', file: 'cli-entry.js' };
// qwen-code needs Node 22.
const NODE = { name: `node-linux-${process.arch}`, version: '22.23.5', file: 'bin/node' };

const OPENCODE = { name: `opencode-linux-${process.arch}`, version: '1.18.33', file: 'bin/opencode' };
const CODEX_ACP = { name: '@agentclientprotocol/codex-acp', version: '2.6.0', file: 'dist/index.js' };
const CODEX = {
  name: '@openai/codex',
  version: '0.166.0-linux-x64',
  file: 'vendor/x86_64-unknown-linux-musl/bin/codex',
};
const GEMINI = { name: '@google/gemini-cli', version: '0.61.0', file: 'bundle/gemini.js' };

/** The version of the SDK that the published adapter of the Agent Client Protocol contains (`claude-agent-acp` 0.101.0). */
export const ACP_SDK = '0.3.318';

/** The path of the native agent of a version of the SDK. Default: the version in the catalog. */
export function nativeAgent(version = sdkVersion()) {
  return fetched({ name: `${SDK}-linux-${process.arch}`, version, file: 'claude' });
}

/** The path of the main module of a version of the SDK. @param {string} version */
export function sdkModule(version) {
  return fetched({ name: SDK, version, file: 'sdk.mjs' });
}

/** The paths of older agents, the oldest first. */
export function olderAgents() {
  return OLDER.map(fetched);
}

/** The command of each published agent by its version, the newest first. */
export function agentsByVersion() {
  const older = OLDER.toReversed().map((wanted) => {
    const path = fetched(wanted);
    return [wanted.version, path.endsWith('.js') ? [process.execPath, path] : [path]];
  });
  const native = [sdkVersion(), ACP_SDK].map((version) => [agentOf(version), [nativeAgent(version)]]);
  return Object.fromEntries([...native, ...older]);
}

/** The version of qwen-code, the program of its Node, and its main module. */
export function qwenCode() {
  return { version: QWEN_CODE.version, node: fetched(NODE), main: fetched(QWEN_CODE) };
}

/** The programs of published ACP agents, and the Node that they need. */
export function acpAgents() {
  const { node, main: qwen } = qwenCode();
  return {
    node,
    qwen,
    opencode: fetched(OPENCODE),
    codexAcp: fetched(CODEX_ACP),
    codex: fetched(CODEX),
    gemini: fetched(GEMINI),
  };
}

/** The version of the agent that a version of the SDK contains. The last part of both versions is the same. @param {string} version */
function agentOf(version) {
  return `2.1.${version.split('.')[2]}`;
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
