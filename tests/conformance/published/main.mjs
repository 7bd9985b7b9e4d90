// Runs the conformance suite on published programs and on ours, and writes docs/conformance-results.md:
// node main.mjs PROGRAMS [NAME…] [--include CASE]… [--cases FILE] [--random N] [--seed S] [--trace DIR] [--jobs N] [--page], where
// PROGRAMS is JSON with the commands of published agents and the modules of published SDKs, by their versions, and with the files of qwen-code. The
// page is written after a complete run. With --page, the page is also written after a partial run, and uses the last report of each other program. In
// this way, a run of an hour can be split into parts. scripts/conformance-published.mjs runs this script, in a network namespace with loopback only.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { profileOf, selectCases } from '@proto/conformance';

import { runRemoteClients } from './remote-clients.mjs';
import { resultsPage } from './results-page.mjs';
import { sdkVersion, targetsOf } from './targets.mjs';

const {
  positionals: [programs = '{"agents":{},"sdks":{}}', ...only],
  values: chosen,
} = parseArgs({
  allowPositionals: true,
  options: {
    include: { type: 'string', multiple: true },
    cases: { type: 'string' },
    random: { type: 'string' },
    seed: { type: 'string' },
    trace: { type: 'string' },
    jobs: { type: 'string' },
    page: { type: 'boolean' },
  },
});
const path = (/** @type {string} */ name) => fileURLToPath(new URL(`../../../${name}`, import.meta.url));
/** The cases that a program of the page runs. @param {'agent' | 'host' | 'server'} side @param {string} [profile] */
const casesOf = (side, profile) =>
  selectCases(side).filter((entry) => profile === undefined || profileOf(entry) === profile);
const stored = (/** @type {string | number} */ name) => path(`node_modules/.cache/conformance-${name}.json`);
const CLIENTS = 'clients';
const FAILURES = 6;
const { page = false, include, cases, trace, ...numbers } = chosen;
const given = Object.entries(numbers).map(([name, number]) => [name, Number(number)]);
const texts = { ...(include && { include }), ...(cases && { cases }), ...(trace && { trace }) };
const options = { ...Object.fromEntries(given), ...texts };
// The page shows the suite as a whole.
const isWhole = include === undefined && cases === undefined && numbers.random === undefined;
const isWanted = (/** @type {string} */ name) => only.length === 0 || only.includes(name);

const targets = targetsOf(JSON.parse(programs));
let code = 0;
for (const [place, target] of targets.entries()) {
  if (!isWanted(target.name)) continue;
  console.log(`\n${target.name}`);
  const reporter = isWhole ? ['text', `json=${stored(place)}`] : ['text'];
  const ended = await target.run({ ...options, reporter });
  if (target.profile === undefined || ended !== FAILURES) code = Math.max(code, ended);
}
if (isWanted(CLIENTS)) {
  const clients = await runRemoteClients(sdkVersion());
  writeFileSync(stored(CLIENTS), JSON.stringify(clients));
  if (clients.some(({ seen }) => seen.some(({ isKept }) => !isKept))) code ||= FAILURES;
}
if (isWhole && (page || only.length === 0)) {
  const report = (/** @type {string | number} */ name) =>
    existsSync(stored(name)) ? JSON.parse(readFileSync(stored(name), 'utf8')) : undefined;
  const done = targets.map((target, place) => ({ ...target, report: report(place) }));
  const clients = report(CLIENTS);
  const old = done.find(({ side, profile, report: last }) => last?.results.length !== casesOf(side, profile).length);
  const missing = old?.name ?? (clients === undefined ? CLIENTS : undefined);
  if (missing !== undefined) throw new Error(`A report of all current cases is missing for ${missing}: run it.`);
  writeFileSync(path('docs/conformance-results.md'), resultsPage(done, clients));
}
// The published clients do not clear their timers.
process.exit(code);
