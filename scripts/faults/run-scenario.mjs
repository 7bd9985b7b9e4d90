import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** How many random schedules may run until one finds the fault. */
const RUNS = 500;

/**
 * Runs random schedules of one scenario until one fails. The seed is fixed, so the schedules are the same each time. Returns the number of schedules that
 * ran, or undefined when none failed.
 * @param {string} folder A copy of the workspace.
 * @param {string} scenario
 * @returns {Promise<number | undefined>}
 */
export async function runScenario(folder, scenario) {
  const args = [
    join(folder, 'scripts/schedules.mjs'),
    '--only',
    scenario,
    '--seed',
    '1',
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
