// Runs the scenarios with the published ACP adapter and with `sjp acp`, prints a line for each, and compares what the editor has received: node
// main.mjs NODE ADAPTER [SCENARIO…]. Started by `pnpm interop:acp`, which creates the network namespace.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { inspect } from 'node:util';
import { checkIsolation, runScenarios } from '../isolated/run-scenarios.mjs';
import { differencesOf } from './differences.mjs';
import { openLab, programsOf } from './lab.mjs';
import { SCENARIOS } from './scenarios.mjs';

checkIsolation();
const [node, adapter, ...asked] = process.argv.slice(2);
const versionOf = (...args) => execFileSync(node, args, { env: {}, encoding: 'utf8' }).trim();
console.log(
  `claude-agent-acp ${versionOf(adapter, '--version')} on Node ${versionOf('--version')}, and sjp acp: both drive sjp-agent`,
);

let failed = 0;
/** What the editor has received, by scenario, for each program. */
const transcripts = [];
for (const [program, commandOf] of Object.entries(programsOf(node, adapter))) {
  console.log(`\n${program}`);
  const received = new Map();
  transcripts.push(received);
  failed += await runScenarios(SCENARIOS, asked, async (scenario, inTime) => {
    const lab = openLab(program, commandOf);
    try {
      await inTime(scenario(lab).then(() => lab.close()));
      // The log of the program shows which features of the agent it misses.
      assert.deepEqual(lab.complaints(), []);
      received.set(scenario.name, lab.transcript());
    } catch (error) {
      throw new Error(inspect(lab.report(), { depth: 6 }), { cause: error });
    } finally {
      lab.remove();
    }
  });
}
const unexplained = differencesOf(...transcripts);
for (const line of unexplained) console.log(`DIFFERS ${line}`);
failed += unexplained.length;
console.log(failed === 0 ? 'all hold' : `${failed} failed`);
// A failed scenario may have left something open.
process.exit(failed === 0 ? 0 : 1);
