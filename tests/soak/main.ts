import { parseArgs } from 'node:util';
import { runSoak, type SoakReport } from './run-soak.ts';
import { failuresOf, MAX_GROWTH_BYTES } from './soak-verdict.ts';
import { type Way, WAYS } from './remote-pair.ts';

const USAGE = 'usage: soak [--messages N] [--cuts N] [--over websocket|sse]… [--seed N] [--json]';

const { values } = parseArgs({
  options: {
    messages: { type: 'string', default: '1000000' },
    cuts: { type: 'string', default: '50' },
    over: { type: 'string', multiple: true, default: [...WAYS] },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    json: { type: 'boolean', default: false },
  },
});
const [messages, cuts, seed] = [values.messages, values.cuts, values.seed].map(Number) as [number, number, number];
const ways = WAYS.filter((way) => values.over.includes(way));
const isKnown = values.over.every((way) => WAYS.includes(way as Way));
if (![messages, cuts, seed].every(Number.isSafeInteger) || messages < 100 || cuts < 0 || !isKnown) {
  console.error(USAGE);
  process.exit(2);
}

const mib = (bytes: number) => `${(bytes / 2 ** 20).toFixed(1)} MiB`;
const reports: SoakReport[] = [];
for (const way of ways) {
  const start = performance.now();
  const onProgress = (arrived: number, heapBytes: number) => {
    const each = (arrived / (performance.now() - start)) * 1000;
    if (!values.json) console.log(`${way.padEnd(9)} ${arrived} messages, ${each.toFixed(0)}/s, heap ${mib(heapBytes)}`);
  };
  const report = await runSoak({ way, messages, cuts, seed, onProgress });
  reports.push(report);
  if (!values.json) print(report);
}
if (values.json) console.log(JSON.stringify({ seed, cuts, reports }));
else console.log(`seed ${seed}`);
process.exit(reports.some((report) => failuresOf(report).length > 0) ? 1 : 0);

function print(report: SoakReport): void {
  const { way, requests, linksLost, lost, doubled, outOfOrder, growthBytes, ms } = report;
  const failures = failuresOf(report);
  const what = `${lost} lost, ${doubled} doubled, ${outOfOrder} out of order`;
  const heap = `heap ${growthBytes < 0 ? '' : '+'}${mib(growthBytes)} (at most +${mib(MAX_GROWTH_BYTES)})`;
  const done = `${messages} messages, ${requests} requests, ${linksLost} links lost`;
  console.log(
    `${failures.length === 0 ? 'ok    ' : 'FAILED'} ${way}: ${done}: ${what}; ${heap}; ${(ms / 1000).toFixed(0)} s`,
  );
  for (const failure of failures) console.log(`  ${failure}`);
}
