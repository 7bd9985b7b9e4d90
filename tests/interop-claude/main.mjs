// Runs the scenarios with the published agents, and prints a line for each: node main.mjs AGENT NODE_WORKER NATIVE_WORKER [SCENARIO…]. Started by
// `pnpm interop:claude`, which creates the network namespace.
import { execFileSync } from 'node:child_process';
import { checkIsolation, runScenarios } from '../isolated/run-scenarios.mjs';
import { ABORTS } from './aborts.mjs';
import { CASSETTES } from './cassettes.mjs';
import { openLab } from './lab.mjs';
import { REMOTE } from './remote.mjs';
import { REQUESTS } from './requests.mjs';
import { SESSIONS } from './sessions.mjs';
import { TOOLS } from './tools.mjs';
import { TURNS } from './turns.mjs';

const scenarios = { ...TURNS, ...ABORTS, ...TOOLS, ...REQUESTS, ...SESSIONS, ...REMOTE, ...CASSETTES };

async function run(scenario, inTime) {
  const lab = await openLab(agent, { nodeWorker, nativeWorker });
  try {
    await inTime(scenario(lab));
    for (const part of lab.unknownOnTheWire()) notDeclared.add(part);
  } catch (error) {
    throw new Error(lab.report(), { cause: error });
  } finally {
    await lab.close();
  }
}

checkIsolation();
const [agent, nodeWorker, nativeWorker, ...asked] = process.argv.slice(2);
console.log(
  `${execFileSync(agent, ['--version'], { env: {}, encoding: 'utf8' }).trim()}, driven by createHostSession and query`,
);
const notDeclared = new Set();
const failed = await runScenarios(scenarios, asked, run);
for (const part of notDeclared) console.log(`not declared: ${part}`);
console.log(failed === 0 ? 'all hold' : `${failed} failed`);
// A failed scenario may have left something open.
process.exit(failed === 0 ? 0 : 1);
