// Runs the scenarios with the published ACP adapter and with `sjp acp`, prints a line for each, and compares what the editor has received: node
// main.mjs NODE ADAPTER ACPX NATIVE [SCENARIO…]. Started by `pnpm interop:acp`, which creates the network namespace.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { inspect } from 'node:util';
import { createMessagesApi, serveOnLoopback } from '@proto/testkit';
import { checkIsolation, runScenarios } from '../isolated/run-scenarios.mjs';
import { ACPX_SCENARIOS } from './acpx.mjs';
import { differencesOf } from './differences.mjs';
import { openLab, programsOf } from './lab.mjs';
import { NATIVE_SCENARIOS } from './native/scenarios.mjs';
import { replyTo } from './native/scripted-model.mjs';
import { SCENARIOS } from './scenarios.mjs';

checkIsolation();
const [node, adapter, acpx, native, ...asked] = process.argv.slice(2);
const versionOf = (...args) => execFileSync(node, args, { env: {}, encoding: 'utf8' }).trim();
console.log(
  `claude-agent-acp ${versionOf(adapter, '--version')} on Node ${versionOf('--version')}, and sjp acp: both drive sjp-agent`,
);

let failed = 0;
const programs = Object.entries(programsOf(node, adapter));
/** Runs the scenarios with each program, and compares what the editor has received. */
async function compare(scenarios, asked, openLabFor) {
  const transcripts = [];
  for (const [program, commandOf] of programs) {
    console.log(`\n${program}`);
    const received = new Map();
    transcripts.push(received);
    failed += await runScenarios(scenarios, asked, async (scenario, inTime) => {
      const lab = openLabFor(program, commandOf);
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
}

const isNative = (name) => Object.hasOwn(NATIVE_SCENARIOS, name);
const askedNative = asked.filter(isNative);
const askedReference = asked.filter((name) => !isNative(name));
if (asked.length === 0 || askedReference.length > 0)
  await compare({ ...SCENARIOS, ...ACPX_SCENARIOS }, askedReference, (program, commandOf) =>
    openLab(program, commandOf, { acpxCommand: [node, acpx] }),
  );
if (asked.length === 0 || askedNative.length > 0) {
  console.log('\nBoth drive the native agent');
  const api = createMessagesApi(replyTo);
  const server = await serveOnLoopback((request) => api.fetch(request));
  await compare(NATIVE_SCENARIOS, askedNative, (program, commandOf) =>
    openLab(program, commandOf, { native: { agent: native, url: server.url } }),
  );
  await server.close();
}
console.log(failed === 0 ? 'all hold' : `${failed} failed`);
// A failed scenario may have left something open.
process.exit(failed === 0 ? 0 : 1);
