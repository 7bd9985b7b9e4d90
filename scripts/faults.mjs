// Plants faults in a copy of the sources, one at a time, and runs the tests that cite the requirements and promises that the fault breaks:
// node scripts/faults.mjs [--only ID]… [--list] [--json]. An ID may be the beginning of several ids. Fails if no test notices a fault, if the sources
// no longer contain the syntax that a fault changes, if a fault names an id that does not exist, or if no fault covers a section of the specification
// or a subject of the promises. --list checks only the last three, without running a test.
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { faults as all } from './faults/all-faults.mjs';
import { testsFor } from './faults/finding-tests.mjs';
import { groups } from './faults/groups.mjs';
import { plant } from './faults/plant.mjs';
import { runScenario } from './faults/run-scenario.mjs';
import { runTests } from './faults/run-tests.mjs';
import { copyWorkspace } from './faults/workspace-copy.mjs';
import { inParallel } from './in-parallel.mjs';

/** @typedef {import('./faults/plant.mjs').Fault} Fault */
/** @typedef {{ id: string, outcome: 'found' | 'missed' | 'stale' | 'broken' | 'no test', detail?: string, runs?: number }} Finding */

const root = fileURLToPath(new URL('..', import.meta.url));
const LIMIT_MS = 60_000;
// More than one test for each core, because a test that hangs because of a fault uses no core while it waits for its time limit.
const AT_ONCE = 2 * availableParallelism();

const { values: options } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    list: { type: 'boolean' },
    json: { type: 'boolean' },
  },
});
const { only } = options;
const faults = only === undefined ? all : all.filter(({ id }) => only.some((start) => id.startsWith(start)));
if (faults.length === 0) {
  console.error(`no such fault: ${only?.join(', ')}; --list shows them`);
  process.exit(2);
}
const say = options.json ? () => {} : console.log;

/**
 * Plants one fault, runs the tests that have to find it, and removes the fault.
 * @param {string} copy
 * @param {Fault} fault
 * @returns {Promise<Finding>}
 */
async function tryOut(copy, fault) {
  const { id } = fault;
  const stale = staleness(fault, copy);
  if (stale !== undefined) return { id, outcome: 'stale', detail: stale };
  const planted = plant(copy, fault);
  const path = join(copy, planted.path);
  const text = readFileSync(path, 'utf8');
  writeFileSync(path, planted.text);
  try {
    if (fault.scenario !== undefined) {
      const runs = await runScenario(copy, fault.scenario, fault.seed);
      return runs === undefined
        ? { id, outcome: 'missed' }
        : { id, outcome: 'found', detail: `by schedule ${runs}`, runs };
    }
    /** @type {Finding['outcome']} */
    let outcome = 'no test';
    for (const [folder, files] of testsFor(root, [fault])) {
      const result = await runTests(copy, folder, files, fault.breaks, LIMIT_MS);
      if (result === 'failed') return { id, outcome: 'found' };
      if (result === 'hung') return { id, outcome: 'found', detail: 'by the time limit' };
      if (result === 'broken') return { id, outcome: 'broken', detail: 'a test file does not load any more' };
      if (result === 'passed') outcome = 'missed';
    }
    return { id, outcome };
  } finally {
    writeFileSync(path, text);
  }
}

/**
 * Why the fault does not fit the sources any more. Undefined if the fault fits.
 * @param {Fault} fault
 * @param {string} folder
 */
function staleness(fault, folder) {
  try {
    plant(folder, fault);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Checks that every one of these tests passes without a fault: a test that always fails would find any fault. */
async function proveSound() {
  const copy = copyWorkspace(root);
  const scenarios = new Map(
    faults.flatMap(({ scenario, seed }) =>
      scenario === undefined ? [] : [[`${scenario} ${seed}`, { scenario, seed }]],
    ),
  );
  const proofs = [
    ...[...scenarios.values()].map(({ scenario, seed }) => async () => {
      const runs = await runScenario(copy, scenario, seed);
      if (runs !== undefined) throw new Error(`${scenario} fails without any fault, in schedule ${runs}`);
    }),
    ...Array.from(testsFor(root, faults), ([folder, files]) => async () => {
      const result = await runTests(copy, folder, files, undefined, faults.length * LIMIT_MS);
      if (result !== 'passed') throw new Error(`the tests of ${folder} fail without any fault: ${result}`);
    }),
  ];
  await inParallel(proofs, AT_ONCE, (prove) => prove());
  return copy;
}

/** @returns {string[]} Why faults of the conformance suite do not fit the sources any more. */
function staleConformanceFaults() {
  /** @type {readonly Omit<Fault, 'id'>[]} */
  const planted = JSON.parse(readFileSync(join(root, 'tests/conformance/own-faults.json'), 'utf8'));
  return planted.flatMap((fault, at) => staleness({ ...fault, id: `fault ${at + 1}` }, root) ?? []);
}

/** @returns {string[]} The sections and subjects that tests cite and no fault breaks, and the ids of faults that do not exist. */
function unbroken() {
  const broken = all.flatMap(({ breaks = [] }) => breaks);
  const listed = [...groups(root)];
  const known = new Set(listed.flatMap(([, ids]) => ids));
  const bare = listed.filter(
    ([, ids]) => !ids.some((id) => broken.includes(id)) && testsFor(root, [{ breaks: ids }]).size > 0,
  );
  return [
    ...bare.map(([group]) => `no fault: ${group}`),
    ...broken.filter((id) => !known.has(id)).map((id) => `no such requirement or promise: ${id}`),
  ];
}

if (options.list) {
  for (const fault of faults) {
    const { id, in: place, breaks = ['-'] } = fault;
    const problem = staleness(fault, root);
    if (problem !== undefined) process.exitCode = 1;
    console.log(`${problem ? 'stale' : '     '} ${id.padEnd(36)} ${breaks.join(' ').padEnd(20)} ${place}`);
  }
  for (const stale of staleConformanceFaults()) {
    process.exitCode = 1;
    console.log(`stale tests/conformance/own-faults.json ${stale}`);
  }
  for (const line of unbroken()) {
    process.exitCode = 1;
    console.log(line);
  }
  process.exit();
}

const first = await proveSound();
// Each fault needs a separate copy.
const copies = [first, ...Array.from({ length: Math.min(AT_ONCE, faults.length) - 1 }, () => copyWorkspace(root))];
const findings = await inParallel(faults, AT_ONCE, async (fault) => {
  const copy = /** @type {string} */ (copies.pop());
  const finding = await tryOut(copy, fault);
  copies.push(copy);
  const { outcome, id, detail = '' } = finding;
  say(`${outcome.padEnd(8)} ${id.padEnd(36)} ${fault.breaks?.join(' ') ?? '-'}  ${detail}`.trimEnd());
  return finding;
});

const bare = only === undefined ? unbroken() : [];
/** For each fault that schedules have to find: the number of schedules until it was found. */
const schedules = Object.fromEntries(findings.flatMap(({ id, runs }) => (runs === undefined ? [] : [[id, runs]])));
const unfound = findings.filter(({ outcome }) => outcome !== 'found');
if (options.json) {
  const found = faults.length - unfound.length;
  console.log(JSON.stringify({ planted: faults.length, found, unfound, bare, schedules }));
}
say(`${faults.length - unfound.length} of ${faults.length} faults found`);
for (const { id, outcome } of unfound) say(`${outcome}: ${id}`);
for (const line of bare) say(line);
process.exitCode = unfound.length + bare.length === 0 ? 0 : 1;
