// Runs the scenarios with the published agents, and prints a line for each: node main.mjs AGENT NODE_WORKER NATIVE_WORKER [SCENARIO…]. Started by
// `pnpm interop:claude`, which creates the network namespace.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { inspect } from 'node:util';
import { ABORTS } from './aborts.mjs';
import { openLab } from './lab.mjs';
import { REMOTE } from './remote.mjs';
import { REQUESTS } from './requests.mjs';
import { TOOLS } from './tools.mjs';
import { TURNS } from './turns.mjs';

const SCENARIO_MS = 30_000;
const scenarios = { ...TURNS, ...ABORTS, ...TOOLS, ...REQUESTS, ...REMOTE };

/** Throws if the agent could reach other machines. */
function checkIsolation() {
  const devices = readFileSync('/proc/net/dev', 'utf8').matchAll(/^\s*(\S+):/gm);
  const names = Array.from(devices, ([, name]) => name);
  if (names.join() !== 'lo') throw new Error(`these network interfaces reach beyond this machine: ${names.join()}`);
}

/** Returns an error if other processes run in this namespace besides this program and its shell, which is the first process. */
function leftBehind() {
  const left = readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid) || pid === '1' || Number(pid) === process.pid) return [];
    try {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8');
      return /^State:\s+Z/m.test(status) ? [] : [/^Name:\s+(.*)$/m.exec(status)?.[1]];
    } catch {
      return [];
    }
  });
  return left.length > 0 ? new Error(`left behind: ${left.join()}`) : undefined;
}

/** Rejects when the time limit of a scenario is over. */
async function inTime(work) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not done after ${SCENARIO_MS} ms`)), SCENARIO_MS);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

async function run(name) {
  const lab = await openLab(agent, { nodeWorker, nativeWorker });
  try {
    await inTime(scenarios[name](lab));
    for (const part of lab.unknownOnTheWire()) notDeclared.add(part);
  } catch (error) {
    throw new Error(lab.report(), { cause: error });
  } finally {
    await lab.close();
  }
}

checkIsolation();
const [agent, nodeWorker, nativeWorker, ...asked] = process.argv.slice(2);
const unknown = asked.filter((name) => !Object.hasOwn(scenarios, name));
if (unknown.length > 0) throw new Error(`no such scenario: ${unknown.join()}`);
console.log(
  `${execFileSync(agent, ['--version'], { env: {}, encoding: 'utf8' }).trim()}, driven by createHostSession and query`,
);
let failed = 0;
const notDeclared = new Set();
for (const name of asked.length > 0 ? asked : Object.keys(scenarios)) {
  const start = performance.now();
  const failure = await run(name).then(
    () => undefined,
    (reason) => reason,
  );
  const error = failure ?? leftBehind();
  const seconds = ((performance.now() - start) / 1000).toFixed(1).padStart(5);
  console.log(`${error === undefined ? 'ok    ' : 'FAILED'} ${seconds} s  ${name}`);
  if (error === undefined) continue;
  failed++;
  console.log(inspect(error));
}
for (const part of notDeclared) console.log(`not declared: ${part}`);
console.log(failed === 0 ? 'all hold' : `${failed} failed`);
// A failed scenario may have left something open.
process.exit(failed === 0 ? 0 : 1);
