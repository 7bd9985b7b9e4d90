// Runs the conformance suite on published programs and on ours, and writes docs/conformance-results.md: node main.mjs PROGRAMS [NAME…] [--include CASE]… [--trace DIR], where PROGRAMS
// is JSON with the paths of the native agents by their version. To be run by scripts/conformance-published.mjs, in a network namespace with loopback only.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { checkAgent, checkHost, checkServer } from '@proto/conformance/command';

import { inModelLab } from './model-lab.mjs';
import { resultsPage } from './results-page.mjs';
import { startServer } from './server.mjs';

const root = new URL('../../../', import.meta.url);
// The package exports no file with its version.
const sdk = JSON.parse(
  readFileSync(new URL('tests/node_modules/@anthropic-ai/claude-agent-sdk/package.json', root), 'utf8'),
);
const {
  positionals: [programs = '{}', ...only],
  values: chosen,
} = parseArgs({
  allowPositionals: true,
  options: { include: { type: 'string', multiple: true }, trace: { type: 'string' } },
});
const path = (/** @type {string} */ name) => fileURLToPath(new URL(name, root));
const baseline = (/** @type {string} */ name) => path(`packages/conformance/baselines/${name}.yaml`);

/** @type {{ name: string, side: string, how: string, run: (options: import('@proto/conformance/command').CommandOptions) => Promise<number> }[]} */
const targets = [
  {
    name: 'sjp-agent',
    side: 'agent',
    how: '`sjp conformance agent -- sjp-agent`',
    run: (options) =>
      checkAgent({ ...options, command: [process.execPath, path('packages/cli/dist/agent.js')] }, process),
  },
  ...Object.entries(JSON.parse(programs)).map(([version, command]) => ({
    name: `Claude Code ${version}`,
    side: 'agent',
    how: 'with a scripted model, and the prompt map `model`',
    run: async (/** @type {import('@proto/conformance/command').CommandOptions} */ options) => {
      return inModelLab(() => checkAgent({ ...options, command, prompts: 'model', timeoutScale: 2 }, process));
    },
  })),
  {
    name: '@proto/host',
    side: 'host',
    how: 'by an adapter',
    run: (options) =>
      checkHost(
        { ...options, adapter: true, command: [process.execPath, path('tests/conformance/adapters/host.mjs')] },
        process,
      ),
  },
  {
    name: `TypeScript SDK ${sdk.version}`,
    side: 'host',
    how: 'by an adapter',
    run: (options) =>
      checkHost(
        {
          ...options,
          adapter: true,
          command: [process.execPath, path('tests/conformance/adapters/typescript-sdk.mjs')],
          expectedFailures: baseline('typescript-sdk'),
        },
        process,
      ),
  },
  {
    name: 'sjp serve',
    side: 'server',
    how: 'in memory',
    run: async (options) => {
      const server = await startServer();
      try {
        return await checkServer({ ...options, ...server.options }, process);
      } finally {
        await server.close();
      }
    },
  },
];

const done = [];
let code = 0;
for (const target of targets) {
  if (only.length > 0 && !only.includes(target.name)) continue;
  console.log(`\n${target.name}`);
  const report = path(`node_modules/.cache/conformance-${targets.indexOf(target)}.json`);
  code = Math.max(code, await target.run({ ...chosen, reporter: ['text', `json=${report}`] }));
  done.push({ ...target, report: JSON.parse(readFileSync(report, 'utf8')) });
}
if (only.length === 0 && chosen.include === undefined)
  writeFileSync(path('docs/conformance-results.md'), resultsPage(done));
process.exitCode = code;
