// Runs the scenarios with the published agents, and prints a line for each: node main.mjs [--workers NODE,NATIVE] AGENT [SCENARIO…]. Started by
// `pnpm interop:claude` and `pnpm drift --native`, which create the network namespace. Fails if a scenario fails, or if the agent sends something
// that no schema names. Without workers, the scenarios of remote sessions and of cassettes are left out.
import { execFileSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { checkIsolation, runScenarios } from '../isolated/run-scenarios.mjs';
import { ABORTS } from './aborts.mjs';
import { BREADTH } from './breadth.mjs';
import { CASSETTES } from './cassettes.mjs';
import { openLab } from './lab.mjs';
import { REMOTE } from './remote.mjs';
import { REQUESTS } from './requests.mjs';
import { SESSIONS } from './sessions.mjs';
import { TOOLS } from './tools.mjs';
import { TURNS } from './turns.mjs';

const { values, positionals } = parseArgs({ allowPositionals: true, options: { workers: { type: 'string' } } });
const [agent, ...asked] = positionals;
const [nodeWorker, nativeWorker] = values.workers?.split(',') ?? [];
const withWorkers = nativeWorker === undefined ? {} : { ...REMOTE, ...CASSETTES };
const scenarios = { ...TURNS, ...ABORTS, ...TOOLS, ...REQUESTS, ...BREADTH, ...SESSIONS, ...withWorkers };

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
console.log(
  `${execFileSync(agent, ['--version'], { env: {}, encoding: 'utf8' }).trim()}, driven by createHostSession and query`,
);
const notDeclared = new Set();
const failed = await runScenarios(scenarios, asked, run);
for (const part of notDeclared) console.log(`not declared: ${part}`);
console.log(failed === 0 ? 'all hold' : `${failed} failed`);
if (notDeclared.size > 0) console.log(`${notDeclared.size} parts of messages are unknown: declare them in the schemas`);
// A failed scenario may have left something open.
process.exit(failed === 0 && notDeclared.size === 0 ? 0 : 1);
