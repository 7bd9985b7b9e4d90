import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg, totalmem } from 'node:os';
import type { Reported } from './report.ts';

/** The results of one run, and the machine. */
export interface Run {
  readonly date: string;
  readonly node: string;
  readonly machine: string;
  readonly rows: readonly Reported[];
  /** True if all suites ran. */
  readonly isWhole: boolean;
}

const folder = new URL('../results/', import.meta.url);

/** Stores a run in its own file. */
export function keepRun(rows: readonly Reported[], isWhole: boolean): void {
  const date = new Date().toISOString();
  const memory = Math.round(totalmem() / 1024 ** 3);
  // If the load is above the number of cores, other processes were running, so figures that are based on wall time are not reliable.
  const load = loadavg()[2]?.toFixed(0);
  const machine = `${process.platform} ${process.arch}, ${availableParallelism()} cores, ${memory} GB, load ${load}`;
  const run: Run = { date, node: process.versions.node, machine, rows, isWhole };
  mkdirSync(folder, { recursive: true });
  const file = new URL(`${date.replaceAll(':', '-')}.json`, folder);
  writeFileSync(file, `${JSON.stringify(run, undefined, 2)}\n`);
}

/**
 * Returns the newest stored run of each major version of Node, the oldest version first. A run of all suites is preferred to a run of some suites.
 */
export function newestRuns(): readonly Run[] {
  const files = existsSync(folder) ? readdirSync(folder).sort() : [];
  const runs = files.map((file) => JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as Run);
  const newest = new Map<number, Run>();
  for (const run of runs) {
    const major = Number.parseInt(run.node, 10);
    if (run.isWhole || newest.get(major)?.isWhole !== true) newest.set(major, run);
  }
  return [...newest].sort(([one], [other]) => one - other).map(([, run]) => run);
}
