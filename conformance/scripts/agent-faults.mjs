// Checks that the suite finds the faults of the agent in fixtures/agent.mjs. Uses the built files.
//
//   node scripts/agent-faults.mjs                       runs, for each fault, the cases that agent.faults.json names
//   node scripts/agent-faults.mjs --find FAULT [NAME…]  prints which cases fail with a fault; NAMEs select the cases, by default all
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { probeAgent } from '../dist/agent/probe-agent.js';
import { runAgentCase } from '../dist/agent/run-agent-case.js';
import { findRequirement, selectCases } from '../dist/cases/suite.js';

const command = fileURLToPath(new URL('../fixtures/agent.mjs', import.meta.url));
// The fixture answers within milliseconds, so a short time limit is enough to notice a message that a fault withholds.
const TIMEOUT_SCALE = 0.12;
// On a busy machine the fixture answers later. Therefore a fault that was not found within the short limits is tried again with the usual limits.
const SECOND_SCALE = 1;
let profile;

/** The faults, each with the cases that find it and the section of the specification that their failures name. */
export const faults = JSON.parse(readFileSync(new URL('../fixtures/agent.faults.json', import.meta.url), 'utf8'));

/** Runs cases with a fault, `jobs` at a time, and resolves with the cases that do not pass. */
export async function failuresOf(fault, names, jobs = 1, timeoutScale = TIMEOUT_SCALE) {
  profile ??= await probeAgent({ command, args: [] }, { prompts: 'fixture', timeoutScale: 1 });
  const agent = { command, args: [], env: { ...process.env, SJP_FIXTURE_FAULT: fault } };
  const signal = new AbortController().signal;
  const waiting = selectCases('agent', names);
  const failed = [];
  const work = async () => {
    for (let entry = waiting.shift(); entry !== undefined; entry = waiting.shift()) {
      const { verdict, failures, reason } = await runAgentCase(entry, {
        agent,
        profile,
        timeoutScale,
        signal,
      });
      if (verdict !== 'passed') failed.push({ id: entry.id, verdict, failures, reason });
    }
  };
  await Promise.all(Array.from({ length: jobs }, work));
  return failed;
}

/** Returns a sentence that says what is wrong with the suite's results for a fault, or `undefined`. */
export async function missed(entry) {
  return (await missedWithin(entry, TIMEOUT_SCALE)) && missedWithin(entry, SECOND_SCALE);
}

async function missedWithin({ fault, 'found-by': names, spec }, timeoutScale) {
  const found = await failuresOf(fault, names, 1, timeoutScale);
  const broken = found.find(({ verdict }) => verdict === 'error');
  if (broken !== undefined) return `${fault}: the suite itself failed in ${broken.id}: ${broken.reason}`;
  const ids = found.flatMap(({ failures }) => failures.map((failure) => failure.spec));
  if (ids.length === 0) return `${fault}: ${names.join(', ')} passes.`;
  if (ids.some((id) => findRequirement(id)?.section === spec)) return undefined;
  return `${fault}: the failures name ${ids.join(', ')}, and not section ${spec}.`;
}

/** The sentences of {@link missed} for a list of faults. */
export async function missedOf(list, jobs = 2) {
  const waiting = [...list];
  const problems = [];
  const work = async () => {
    for (let entry = waiting.shift(); entry !== undefined; entry = waiting.shift()) {
      const problem = await missed(entry);
      if (problem !== undefined) problems.push(problem);
    }
  };
  await Promise.all(Array.from({ length: jobs }, work));
  return problems;
}

async function main([mode, fault, ...names]) {
  if (mode === '--find') {
    for (const { id, failures } of await failuresOf(fault, names, 2))
      console.log(
        `${id}\n${failures.map(({ spec, rule, message }) => `  ${spec}${rule ? ` (${rule})` : ''}: ${message}`).join('\n')}`,
      );
    return;
  }
  const started = performance.now();
  const problems = await missedOf(faults);
  for (const problem of problems) console.log(problem);
  console.log(
    `${faults.length - problems.length} of ${faults.length} faults found in ${Math.round((performance.now() - started) / 1000)} s`,
  );
  process.exitCode = problems.length > 0 ? 1 : 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(process.argv.slice(2));
