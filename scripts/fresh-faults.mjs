// Measures how well the conformance suite finds faults for which no case was written: plants each fault of a list in a copy of a fixture, one at a
// time, and runs the whole suite of its side. Uses what the build has written.
//
//   node scripts/fresh-faults.mjs SIDE LIST.json [--only FAULT]… [--base FOLDER] [--program FILE] [--json]
//
// SIDE is agent, host or server. A list has entries {fault, section, edits: [{file, find, replace}]}: `file` is relative to the copied folder, by default
// conformance/fixtures, whose program is started with the fault in it. `section` is the section of the specification that a finding must name, or a
// list if several sections are correct.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

import { tryFault } from './fresh-faults/try-fault.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string', multiple: true },
    base: { type: 'string' },
    program: { type: 'string' },
    json: { type: 'boolean' },
  },
});
const [side, file] = positionals;
if (side === undefined || file === undefined || (side !== 'agent' && side !== 'host' && side !== 'server')) {
  console.error('usage: node scripts/fresh-faults.mjs agent|host|server LIST.json');
  process.exit(2);
}
const { only } = values;
/** @type {import('./fresh-faults/try-fault.mjs').FreshFault[]} */
const list = JSON.parse(readFileSync(file, 'utf8'));
const wanted = only === undefined ? list : list.filter(({ fault }) => only.includes(fault));
/** @type {import('./fresh-faults/try-fault.mjs').Finding[]} */
const findings = [];
for (const entry of wanted) {
  const finding = await tryFault(side, entry, values);
  findings.push(finding);
  if (!values.json)
    console.log(`${finding.outcome.padEnd(8)} ${finding.fault} (${finding.section}) ${finding.by.join('; ')}`);
}
const count = (/** @type {string} */ outcome) => findings.filter((finding) => finding.outcome === outcome).length;
if (values.json) console.log(JSON.stringify(findings, null, 2));
else
  console.log(
    `${side}: ${count('found')} of ${findings.length} found, ${count('elsewhere')} under another section, ${count('missed')} missed, ${count('broken')} broken`,
  );
