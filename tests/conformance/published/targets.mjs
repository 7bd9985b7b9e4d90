// The programs on the results page, and how the suite runs each program.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { checkAgent, checkHost, checkServer } from '@proto/conformance/command';

import { inModelLab } from './model-lab.mjs';
import { startServer } from './server.mjs';

/** @typedef {import('@proto/conformance/command').CommandOptions} Options */
/**
 * A program of the page. If it has a profile, only the cases of this profile are run, and their failures are shown but do not fail the run.
 * @typedef {{ name: string, side: 'agent' | 'host' | 'server', how: string, profile?: string, run: (options: Options) => Promise<number> }} Target
 */
/** @typedef {{ version: string, node: string, main: string }} QwenCode */

const root = new URL('../../../', import.meta.url);
const path = (/** @type {string} */ name) => fileURLToPath(new URL(name, root));

/**
 * The programs in the order of the page.
 * @param {{ agents: Record<string, readonly string[]>, sdks: Record<string, string>, qwen?: QwenCode }} programs commands of published agents and modules of published SDKs, by their versions
 * @returns {readonly Target[]}
 */
export function targetsOf({ agents, sdks, qwen }) {
  return [
    {
      name: 'sjp-agent',
      side: 'agent',
      how: '`sjp conformance agent -- sjp-agent`',
      run: (options) =>
        checkAgent({ ...options, command: [process.execPath, path('packages/cli/dist/agent.js')] }, process),
    },
    ...Object.entries(agents).map(([version, command]) => publishedAgent(version, command)),
    host('@proto/host', ['tests/conformance/adapters/host.mjs']),
    host(`TypeScript SDK ${sdkVersion()}`, ['tests/conformance/adapters/typescript-sdk.mjs'], 'typescript-sdk'),
    ...Object.entries(sdks).map(([version, file]) =>
      host(`TypeScript SDK ${version}`, ['tests/conformance/adapters/typescript-sdk.mjs', file], 'typescript-sdk'),
    ),
    { name: 'sjp serve', side: 'server', how: 'with its store in memory', run: ownServer },
    ...(qwen === undefined ? [] : [qwenCode(qwen)]),
  ];
}

/** @type {(version: string, command: readonly string[]) => Target} */
function publishedAgent(version, command) {
  return {
    name: `Claude Code ${version}`,
    side: 'agent',
    how: 'with a scripted model and the prompt map `model`',
    run: (options) => {
      const expected = baseline(`claude-code-${version}`, options);
      const given = { ...options, ...expected, command, prompts: 'model', timeoutScale: 2 };
      return inModelLab(() => checkAgent(given, process));
    },
  };
}

/** @type {(program: QwenCode) => Target} */
function qwenCode({ version, node, main }) {
  const starter = path('tests/conformance/adapters/qwen-code.mjs');
  const args = ['--auth-type', 'anthropic', '-m', 'claude-model', '--approval-mode', 'default'];
  return {
    name: `qwen-code ${version}`,
    side: 'agent',
    how: 'without `--verbose`, with a scripted model and the prompt map `model`',
    profile: 'core',
    run: (options) => {
      const command = [node, starter, main, ...args];
      const part = options.random === undefined ? { profile: 'core' } : {};
      return inModelLab(() => checkAgent({ ...options, ...part, command, prompts: 'model' }, process));
    },
  };
}

/** @type {(name: string, adapter: readonly [string, ...string[]], known?: string) => Target} */
function host(name, [adapter, ...args], known = name) {
  return {
    name,
    side: 'host',
    how: 'through an adapter',
    run: (options) => {
      const command = [process.execPath, path(adapter), ...args];
      return checkHost({ ...options, ...baseline(known, options), adapter: true, command }, process);
    },
  };
}

/** @param {Options} options */
async function ownServer(options) {
  const server = await startServer();
  try {
    return await checkServer({ ...options, ...server.options }, process);
  } finally {
    await server.close();
  }
}

/**
 * The list of the known deviations of a program, if there is one. Some programs have another list for generated sessions.
 * @param {string} name
 * @param {Options} options
 */
function baseline(name, { random }) {
  const names = random === undefined ? [name] : [`${name}-random`, name];
  const file = names.map((each) => path(`conformance/baselines/${each}.yaml`)).find((each) => existsSync(each));
  return file === undefined ? {} : { expectedFailures: file };
}

/** The version of the SDK in the catalog, whose package exports no file with it. */
export function sdkVersion() {
  const file = path('tests/node_modules/@anthropic-ai/claude-agent-sdk/package.json');
  return String(JSON.parse(readFileSync(file, 'utf8')).version);
}
