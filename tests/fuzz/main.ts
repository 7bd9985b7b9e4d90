import { parseArgs } from 'node:util';
import { type Found, runCost } from './cost/run-cost.ts';
import { runFraming } from './framing/run-framing.ts';
import { type RightsFinding, runRights } from './rights/run-rights.ts';
import { type RulesFinding, runRules } from './rules/run-rules.ts';

const USAGE = `usage: fuzz cost [--seed N] [--minutes M] [--only NAME] [--json]
       fuzz rights [--seed N] [--minutes M] [--only STEPS] [--json]
       fuzz framing [--seed N] [--minutes M] [--only NUMBER] [--json]
       fuzz rules [--seed N] [--minutes M] [--only LINE] [--json]`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    minutes: { type: 'string', default: '1' },
    only: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});
const { only, json } = values;
const [seed, minutes] = [Number(values.seed), Number(values.minutes)];
const [net] = positionals;
if (!Number.isSafeInteger(seed) || !(minutes > 0) || !['cost', 'rights', 'framing', 'rules'].includes(net ?? '')) {
  console.error(USAGE);
  process.exit(2);
}
const until = performance.now() + minutes * 60_000;
const print = (line: string) => {
  if (!json) console.log(line);
};

if (net === 'cost') {
  let count = 0;
  const found = await runCost({ seed, until, only }, (one) => {
    count++;
    print(lineOf(one));
  });
  if (json) console.log(JSON.stringify({ net, seed, minutes, loads: count, findings: found }));
  else console.log(`${count} loads, ${found.length} findings, seed ${seed}`);
  if (found.length > 0) process.exitCode = 1;
}
if (net === 'rights') {
  const schedule = only?.split(' ');
  const { sessions, findings } = await runRights({
    seed,
    until,
    only: schedule,
    onFinding: (one) => print(textOf(one)),
  });
  if (json) console.log(JSON.stringify({ net, seed, minutes, sessions, findings }));
  else console.log(`${sessions} sessions, ${findings.length} kinds of findings, seed ${seed}`);
  if (findings.length > 0) process.exitCode = 1;
}
if (net === 'framing') {
  const exchange = only === undefined ? undefined : Number(only);
  const { exchanges, findings } = await runFraming({
    seed,
    until,
    only: exchange,
    onFinding: ({ exchange: number, what, written }) =>
      print(`FAILED ${what}\n  ${JSON.stringify(written)}\n  again: pnpm fuzz framing --seed ${seed} --only ${number}`),
  });
  if (json) console.log(JSON.stringify({ net, seed, minutes, exchanges, findings }));
  else console.log(`${exchanges} exchanges, ${findings.length} findings, seed ${seed}`);
  if (findings.length > 0) process.exitCode = 1;
}
if (net === 'rules') {
  const { lines, findings } = await runRules({ seed, until, only, onFinding: (one) => print(lineOfRules(one)) });
  if (json) console.log(JSON.stringify({ net, seed, minutes, lines, findings }));
  else console.log(`${lines} lines, ${findings.length} findings, seed ${seed}`);
  if (findings.length > 0) process.exitCode = 1;
}
process.exit();

function lineOfRules({ kind, shell, line, ran }: RulesFinding): string {
  return `FAILED ${kind} in ${shell}: ${ran.join(', ')}\n  again: pnpm fuzz rules --only ${JSON.stringify(line)}`;
}

function textOf({ kind, step, detail, schedule }: RightsFinding): string {
  return `FAILED ${kind}\n  ${step}: ${detail}\n  again: pnpm fuzz rights --only '${schedule.join(' ')}'`;
}

function lineOf({ name, costs, largest, problems, store }: Found): string {
  const growth = costs.map(({ size, cpuMs }) => `${size}: ${cpuMs.toFixed(0)}`).join(', ');
  const most =
    largest &&
    `; largest: CPU ${largest.cpuMs.toFixed(0)} ms, /healthz ${largest.waitMs.toFixed(0)} ms, +${(largest.growthBytes / 1e6).toFixed(0)} MB${largest.isCutShort ? ', cut short' : ''}`;
  const line = `${problems.length === 0 ? 'ok    ' : 'FAILED'} ${name} [${store}] CPU ms ${growth}${most ?? ''}`;
  const again = `  again: pnpm fuzz cost --seed ${seed} --only '${name}'`;
  return problems.length === 0 ? line : [line, ...problems.map((problem) => `  ${problem}`), again].join('\n');
}
