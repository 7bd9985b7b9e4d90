import { parseArgs } from 'node:util';
import { againOf, problemOf, type Report, runSchedules } from './run-schedules.ts';
import { scenarios } from './scenarios.ts';

const USAGE = `usage: schedules [--seed N] [--runs M] [--only NAME]… [--as-found] [--json]
       schedules --only NAME --replay '["a step", …]'`;

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    runs: { type: 'string', default: '1000' },
    only: { type: 'string', multiple: true },
    replay: { type: 'string' },
    'as-found': { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});
const { only, replay, json } = values;
const [seed, runs] = [Number(values.seed), Number(values.runs)];
const chosen = scenarios.filter(({ name }) => only === undefined || only.includes(name));
if (!Number.isSafeInteger(seed) || !Number.isSafeInteger(runs) || runs < 1 || chosen.length === 0) {
  console.error(`${USAGE}\nscenarios: ${scenarios.map(({ name }) => name).join(', ')}`);
  process.exit(2);
}

const reports: Report[] = [];
for (const scenario of chosen) {
  if (replay !== undefined) {
    const problem = await problemOf(scenario, JSON.parse(replay) as string[]);
    console.log(problem === undefined ? `${scenario.name}: holds` : `${scenario.name}: ${problem}`);
    if (problem !== undefined) process.exitCode = 1;
    continue;
  }
  const start = performance.now();
  const report = await runSchedules(scenario, seed, runs, { shortens: !values['as-found'] });
  reports.push(report);
  if (!json) console.log(lineOf(report, performance.now() - start));
}
if (json && replay === undefined) console.log(JSON.stringify({ seed, runs, reports }));
else if (replay === undefined) console.log(`seed ${seed}`);
if (reports.some(({ failure }) => failure !== undefined)) process.exitCode = 1;

function lineOf(report: Report, ms: number): string {
  const { scenario, runs: count, failure } = report;
  const line = `${scenario.padEnd(24)} ${String(count).padStart(6)} schedules  ${(ms / 1000).toFixed(1)} s`;
  return failure === undefined ? `ok     ${line}` : `FAILED ${line}\n${againOf(report)}`;
}
