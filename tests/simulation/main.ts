import { parseArgs } from 'node:util';
import { againOf, type Outcome, shrink, simulate, type SimulationOptions } from './simulate.ts';
import { STORE_FAULTS } from './store.ts';

const USAGE = `usage: simulate [--seed N] [--schedules M] [--nodes 1-9] [--no-sockets] [--plant FAULT] [--as-found] [--json]
       simulate --seed N --trace
       simulate --seed N --replay '["a step", …]' [--trace]`;

const { values } = parseArgs({
  allowNegative: true,
  options: {
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    schedules: { type: 'string', default: '1000' },
    nodes: { type: 'string', default: '1' },
    sockets: { type: 'boolean', default: true },
    replay: { type: 'string' },
    plant: { type: 'string' },
    trace: { type: 'boolean', default: false },
    'as-found': { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});
const [seed, schedules, nodes] = [Number(values.seed), Number(values.schedules), Number(values.nodes)];
if (!Number.isSafeInteger(seed) || !Number.isSafeInteger(schedules) || !(nodes >= 1 && nodes <= 9)) {
  console.error(`${USAGE}\nfaults: ${STORE_FAULTS.join(', ')}`);
  process.exit(2);
}
const fault = STORE_FAULTS.find((one) => one === values.plant);
const options: SimulationOptions = { nodes, sockets: values.sockets, fault, keepsTrace: values.trace };

if (values.replay !== undefined || values.trace) {
  const outcome = await simulate(
    String(seed),
    options,
    values.replay === undefined ? undefined : (JSON.parse(values.replay) as string[]),
  );
  for (const line of outcome.trace) console.log(line);
  console.log(`${outcome.hash} ${outcome.problem ?? 'holds'}`);
  process.exitCode = outcome.problem === undefined ? 0 : 1;
} else {
  await runAll();
}

async function runAll(): Promise<void> {
  const before = process.cpuUsage();
  const faults = new Map<string, number>();
  let ran = 0;
  let failed: Outcome | undefined;
  for (; ran < schedules && failed === undefined; ran++) {
    const outcome = await simulate(String(seed + ran), options);
    for (const [kind, count] of outcome.faults) faults.set(kind, (faults.get(kind) ?? 0) + count);
    if (outcome.problem !== undefined) failed = outcome;
  }
  const { user, system } = process.cpuUsage(before);
  const cpuSeconds = (user + system) / 1e6;
  const total = [...faults.values()].reduce((sum, count) => sum + count, 0);
  const perCpuHour = Math.round((total / cpuSeconds) * 3600);
  const least = failed === undefined || values['as-found'] ? failed : await shrink(failed, options);
  const kinds = Object.fromEntries(faults);
  if (values.json) {
    const failure = least && { seed: least.seed, problem: least.problem, schedule: least.schedule };
    console.log(JSON.stringify({ seed, schedules: ran, nodes, faults: total, kinds, cpuSeconds, perCpuHour, failure }));
  } else {
    const figures = `${total} faults, ${cpuSeconds.toFixed(1)} s of CPU, ${perCpuHour} faults a CPU hour`;
    console.log(`${least ? 'FAILED' : 'ok'} ${ran} schedules from seed ${seed}, ${nodes} nodes: ${figures}`);
    console.log(
      Object.entries(kinds)
        .map(([kind, count]) => `  ${kind} ${count}`)
        .join('\n'),
    );
    if (least !== undefined) console.log(`${least.problem}\n${againOf(least, options)}`);
  }
  if (least !== undefined) process.exitCode = 1;
}
