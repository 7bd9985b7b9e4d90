import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** The maximum number of random schedules that run to find the fault. */
const RUNS = 500;

/**
 * Runs random schedules of one scenario until one fails. The same seed gives the same schedules each time. Returns the number of schedules that ran, or
 * undefined when none failed.
 * @param {string} folder A copy of the workspace.
 * @param {string} scenario
 * @param {number} [seed]
 * @returns {Promise<number | undefined>}
 */
export async function runScenario(folder, scenario, seed = 1) {
  const args = [
    join(folder, 'scripts/schedules.mjs'),
    '--only',
    scenario,
    '--seed',
    String(seed),
    '--runs',
    String(RUNS),
    '--as-found',
    '--json',
  ];
  const { stdout } = await promisify(execFile)(process.execPath, args).catch((error) => error);
  /** @type {{ reports: { runs: number, failure?: unknown }[] }} */
  const { reports } = JSON.parse(stdout);
  const [report] = reports;
  if (report === undefined) throw new Error(`no scenario has the name ${scenario}`);
  return report.failure === undefined ? undefined : report.runs;
}
