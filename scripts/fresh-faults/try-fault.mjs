import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { selectCases, testAgent, testHost, testServer } from '../../conformance/dist/index.js';
import { findRequirement } from '../../conformance/dist/cases/suite.js';
import { parseServerProfile } from '../../conformance/dist/server/server-profile.js';

/**
 * @typedef {{ fault: string, section: string | string[], edits: { file: string, find: string, replace: string }[] }} FreshFault
 * @typedef {{ fault: string, section: string, outcome: 'found' | 'elsewhere' | 'missed' | 'broken', by: string[] }} Finding
 * @typedef {import('../../conformance/dist/index.js').CaseResult} CaseResult
 * @typedef {'agent' | 'host' | 'server'} Side
 * @typedef {{ base?: string, program?: string }} Place
 */

const suite = fileURLToPath(new URL('../../conformance', import.meta.url));
const PROGRAMS = { agent: 'agent.mjs', host: 'host-adapter.mjs', server: 'server.mjs' };
// The fixtures answer within milliseconds, so the time limits are short at first. A failure that is found in this way is tried again with the usual
// limits.
const QUICK = 0.3;
const MOST_ELSEWHERE = 8;

/**
 * Plants a fault in a copy, and runs the suite until a case names the right section.
 * @param {Side} side
 * @param {FreshFault} entry
 * @param {Place} place
 * @returns {Promise<Finding>}
 */
export async function tryFault(side, entry, { base = join(suite, 'fixtures'), program = PROGRAMS[side] }) {
  const sections = [entry.section].flat();
  const shared = { fault: entry.fault, section: sections.join(' or ') };
  const folder = mkdtempSync(join(tmpdir(), 'sjp-fresh-'));
  try {
    cpSync(base, join(folder, 'fixtures'), { recursive: true });
    // The adapter of the host imports its protocol from a folder next to the fixtures.
    cpSync(join(suite, 'adapters'), join(folder, 'adapters'), { recursive: true });
    const stale = plant(join(folder, 'fixtures'), entry);
    if (stale !== undefined) return { ...shared, outcome: 'broken', by: [stale] };
    const run = (/** @type {object} */ options) => RUNS[side](join(folder, 'fixtures', program), options);
    const isRight = (/** @type {CaseResult} */ { failures }) =>
      failures.some(({ spec }) => sections.some((section) => isWithin(sectionOf(spec), section)));
    // The cases of these sections run first, because they find most faults.
    let left = selectCases(side).toSorted((a, b) => rank(b, sections) - rank(a, sections));
    /** @type {CaseResult[]} */
    const failed = [];
    /** @type {CaseResult[]} */
    let sure = [];
    while (left.length > 0 && !sure.some(isRight)) {
      const ran = await runUntil(run, left, isRight);
      const ids = new Set(ran.map(({ id }) => id));
      left = left.filter(({ id }) => !ids.has(id));
      failed.push(...ran.filter(isFailure));
      // A case that fails only on a busy machine must not hide the cases after it.
      const right = ran.filter((result) => isFailure(result) && isRight(result));
      const tried = right.length > 0 ? right : failed.slice(0, MOST_ELSEWHERE);
      sure = await again(run, side, tried);
      if (right.length === 0) break;
    }
    const by = sure.map(
      ({ id, failures, reason }) => `${id}: ${failures.map(({ spec, rule }) => rule ?? spec).join(' ') || reason}`,
    );
    if (sure.some(isRight)) return { ...shared, outcome: 'found', by: by.slice(0, 1) };
    return { ...shared, outcome: sure.length > 0 ? 'elsewhere' : 'missed', by };
  } catch (error) {
    return { ...shared, outcome: 'broken', by: [String(error)] };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Makes the edits of a fault. Returns why an edit does not fit, or `undefined` if all edits were made.
 * @param {string} folder
 * @param {FreshFault} entry
 */
function plant(folder, { edits }) {
  for (const { file, find, replace } of edits) {
    const path = join(folder, file);
    const parts = readFileSync(path, 'utf8').split(find);
    if (parts.length !== 2) return `${file} has ${parts.length - 1} times: ${find}`;
    writeFileSync(path, parts.join(replace));
  }
  return undefined;
}

/**
 * Runs the cases until a case names the right section. Returns the results of the cases that ran.
 * @param {(options: object) => Promise<CaseResult[]>} run
 * @param {ReturnType<typeof selectCases>} cases
 * @param {(result: CaseResult) => boolean} isRight
 */
async function runUntil(run, cases, isRight) {
  const enough = new AbortController();
  /** @type {CaseResult[]} */
  const results = [];
  const onResult = (/** @type {CaseResult} */ result) => {
    results.push(result);
    if (isFailure(result) && isRight(result)) enough.abort();
  };
  await run({ cases, timeoutScale: QUICK, onResult, signal: enough.signal }).catch((error) => {
    if (!enough.signal.aborted) throw error;
  });
  return results;
}

/**
 * Runs the failed cases again with the usual limits. Returns the results of the cases that fail again.
 * @param {(options: object) => Promise<CaseResult[]>} run
 * @param {Side} side
 * @param {CaseResult[]} failed
 */
async function again(run, side, failed) {
  const ids = failed.map(({ id }) => id);
  return ids.length === 0 ? [] : (await run({ cases: selectCases(side, ids), jobs: 2 })).filter(isFailure);
}

/** @param {string} id */
function sectionOf(id) {
  return findRequirement(id)?.section ?? '';
}

/**
 * Whether a section is the section `other` or a part of it.
 * @param {string} section
 * @param {string} other
 */
function isWithin(section, other) {
  return section === other || section.startsWith(`${other}.`);
}

/**
 * @param {{ spec: readonly string[] }} entry
 * @param {readonly string[]} sections
 */
function rank({ spec }, sections) {
  const own = spec.map(sectionOf);
  if (own.some((section) => sections.some((each) => isWithin(section, each)))) return 2;
  return own.some((section) => sections.some((each) => each.split('.')[0] === section.split('.')[0])) ? 1 : 0;
}

/** @param {CaseResult} result */
function isFailure({ verdict }) {
  return verdict !== 'passed' && verdict !== 'not-declared';
}

/** @type {Record<Side, (program: string, options: any) => Promise<CaseResult[]>>} */
const RUNS = {
  agent: (program, options) =>
    testAgent({ agent: { command: process.execPath, args: [program] }, prompts: 'fixture', ...options }),
  host: (program, options) => testHost({ command: [process.execPath, program], adapter: true, ...options }),
  server: async (program, options) => {
    const server = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'inherit'] });
    const exited = once(server, 'exit');
    try {
      const [line] = await Promise.race([
        once(createInterface({ input: server.stdout }), 'line'),
        exited.then(([code]) => Promise.reject(new Error(`the server has exited with ${code} before it listened`))),
      ]);
      const profile = parseServerProfile(readFileSync(join(suite, 'fixtures/server.tokens.yaml'), 'utf8'));
      return await testServer({ url: line.split(' ').at(-1), profile, ...options });
    } finally {
      server.kill('SIGKILL');
      await exited;
    }
  },
};
