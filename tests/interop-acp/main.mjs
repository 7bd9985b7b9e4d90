// Runs the scenarios with the published ACP adapter, and prints a line for each: node main.mjs NODE ADAPTER [SCENARIO…]. Started by
// `pnpm interop:acp`, which creates the network namespace.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { inspect } from 'node:util';
import { checkIsolation, runScenarios } from '../isolated/run-scenarios.mjs';
import { openLab } from './lab.mjs';
import { SCENARIOS } from './scenarios.mjs';

checkIsolation();
const [node, adapter, ...asked] = process.argv.slice(2);
const versionOf = (...args) => execFileSync(node, args, { env: {}, encoding: 'utf8' }).trim();
console.log(
  `claude-agent-acp ${versionOf(adapter, '--version')} on Node ${versionOf('--version')}, which drives sjp-agent`,
);

const failed = await runScenarios(SCENARIOS, asked, async (scenario, inTime) => {
  const lab = openLab({ node, adapter });
  try {
    await inTime(scenario(lab).then(() => lab.close()));
    // The log of the adapter shows which features of the agent it misses.
    assert.deepEqual(lab.complaints(), []);
  } catch (error) {
    throw new Error(inspect(lab.report(), { depth: 6 }), { cause: error });
  } finally {
    lab.remove();
  }
});
console.log(failed === 0 ? 'all hold' : `${failed} failed`);
// A failed scenario may have left something open.
process.exit(failed === 0 ? 0 : 1);
