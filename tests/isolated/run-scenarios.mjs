import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { inspect } from 'node:util';

const SCENARIO_MS = 60_000;
/** How long processes may take to end after the end of their input. */
const END_MS = 10_000;

/** Throws if a program could reach other machines. */
export function checkIsolation() {
  const devices = readFileSync('/proc/net/dev', 'utf8').matchAll(/^\s*(\S+):/gm);
  const names = Array.from(devices, ([, name]) => name);
  if (names.join() !== 'lo') throw new Error(`these network interfaces reach beyond this machine: ${names.join()}`);
}

/** Fulfils with an error if any process still runs in this namespace except this program and its shell, which is the first process. */
async function stillRunning() {
  const end = performance.now() + END_MS;
  let left = otherProcesses();
  for (; left.length > 0 && performance.now() < end; left = otherProcesses()) await setTimeout(20);
  return left.length > 0 ? new Error(`still running: ${left.join()}`) : undefined;
}

function otherProcesses() {
  return readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid) || pid === '1' || Number(pid) === process.pid) return [];
    try {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8');
      return /^State:\s+Z/m.test(status) ? [] : [/^Name:\s+(.*)$/m.exec(status)?.[1]];
    } catch {
      return [];
    }
  });
}

/** Rejects if the work takes too long. */
async function inTime(work, limitMs = SCENARIO_MS) {
  const controller = new AbortController();
  const late = setTimeout(limitMs, undefined, { signal: controller.signal }).then(() => {
    throw new Error(`not done after ${limitMs} ms`);
  });
  late.catch(() => {});
  return Promise.race([work, late]).finally(() => controller.abort());
}

/** Runs scenarios one after the other, and prints a line for each. A scenario may set its own `limitMs`. Fulfils with the number of failures. */
export async function runScenarios(scenarios, asked, run) {
  const unknown = asked.filter((name) => !Object.hasOwn(scenarios, name));
  if (unknown.length > 0) throw new Error(`no such scenario: ${unknown.join()}`);
  let failed = 0;
  for (const name of asked.length > 0 ? asked : Object.keys(scenarios)) {
    const start = performance.now();
    const failure = await run(scenarios[name], (work) => inTime(work, scenarios[name].limitMs)).then(
      () => undefined,
      (reason) => reason,
    );
    const error = failure ?? (await stillRunning());
    const seconds = ((performance.now() - start) / 1000).toFixed(1).padStart(5);
    console.log(`${error === undefined ? 'ok    ' : 'FAILED'} ${seconds} s  ${name}`);
    if (error === undefined) continue;
    failed++;
    console.log(inspect(error, { depth: 6 }));
  }
  return failed;
}
