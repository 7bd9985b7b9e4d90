// Runs the conformance suite on published programs and on ours, and writes docs/conformance-results.md: node main.mjs PROGRAMS [NAME…] [--include CASE]… [--trace DIR] [--jobs N], where PROGRAMS
// is JSON with the commands of published agents and the modules of published SDKs, by their versions. To be run by scripts/conformance-published.mjs, in a network namespace with loopback only.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { runRemoteClients } from './remote-clients.mjs';
import { resultsPage } from './results-page.mjs';
import { sdkVersion, targetsOf } from './targets.mjs';

const {
  positionals: [programs = '{"agents":{},"sdks":{}}', ...only],
  values: chosen,
} = parseArgs({
  allowPositionals: true,
  options: { include: { type: 'string', multiple: true }, trace: { type: 'string' }, jobs: { type: 'string' } },
});
const path = (/** @type {string} */ name) => fileURLToPath(new URL(`../../../${name}`, import.meta.url));
const CLIENTS = 'clients';
const { jobs, ...others } = chosen;
const options = { ...others, ...(jobs !== undefined && { jobs: Number(jobs) }) };

const done = [];
let code = 0;
for (const [place, target] of targetsOf(JSON.parse(programs)).entries()) {
  if (only.length > 0 && !only.includes(target.name)) continue;
  console.log(`\n${target.name}`);
  const report = path(`node_modules/.cache/conformance-${place}.json`);
  code = Math.max(code, await target.run({ ...options, reporter: ['text', `json=${report}`] }));
  done.push({ ...target, report: JSON.parse(readFileSync(report, 'utf8')) });
}
const clients = only.length === 0 || only.includes(CLIENTS) ? await runRemoteClients(sdkVersion()) : [];
if (clients.some(({ seen }) => seen.some(({ isKept }) => !isKept))) code ||= 6;
if (only.length === 0 && chosen.include === undefined)
  writeFileSync(path('docs/conformance-results.md'), resultsPage(done, clients));
// The published clients leave timers behind.
process.exit(code);
