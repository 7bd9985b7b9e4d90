import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg, totalmem } from 'node:os';
import type { Reported } from './report.ts';

/** The results of one run, and the machine. */
export interface Run {
  readonly date: string;
  readonly node: string;
  readonly machine: string;
  readonly rows: readonly Reported[];
}

const folder = new URL('../results/', import.meta.url);

/** Stores a run in its own file. */
export function keepRun(rows: readonly Reported[]): void {
  const date = new Date().toISOString();
  const memory = Math.round(totalmem() / 1024 ** 3);
  // A load above the number of cores means that other processes ran, and then figures by wall time are not reliable.
  const load = loadavg()[2]?.toFixed(0);
  const machine = `${process.platform} ${process.arch}, ${availableParallelism()} cores, ${memory} GB, load ${load}`;
  const run: Run = { date, node: process.versions.node, machine, rows };
  mkdirSync(folder, { recursive: true });
  const file = new URL(`${date.replaceAll(':', '-')}.json`, folder);
  writeFileSync(file, `${JSON.stringify(run, undefined, 2)}\n`);
}

/** Returns the newest stored run. */
export function newestRun(): Run {
  const newest = readdirSync(folder).sort().at(-1);
  if (newest === undefined) throw new Error('there is no stored run: run `pnpm bench` first');
  return JSON.parse(readFileSync(new URL(newest, folder), 'utf8')) as Run;
}
