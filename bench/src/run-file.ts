import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg, totalmem } from 'node:os';
import type { Reported } from './report.ts';

/** Everything one run measured, and on what. */
export interface Run {
  readonly date: string;
  readonly node: string;
  readonly machine: string;
  readonly rows: readonly Reported[];
}

const folder = new URL('../results/', import.meta.url);

/** Keeps a run in a file of its own. */
export function keepRun(rows: readonly Reported[]): void {
  const date = new Date().toISOString();
  const memory = Math.round(totalmem() / 1024 ** 3);
  // Above the number of cores others were at work too, and figures by wall time say little.
  const load = loadavg()[2]?.toFixed(0);
  const machine = `${process.platform} ${process.arch}, ${availableParallelism()} cores, ${memory} GB, load ${load}`;
  const run: Run = { date, node: process.versions.node, machine, rows };
  mkdirSync(folder, { recursive: true });
  const file = new URL(`${date.replaceAll(':', '-')}.json`, folder);
  writeFileSync(file, `${JSON.stringify(run, undefined, 2)}\n`);
}

/** The newest run kept. */
export function newestRun(): Run {
  const newest = readdirSync(folder).sort().at(-1);
  if (newest === undefined) throw new Error('no run is kept: `pnpm bench` makes one');
  return JSON.parse(readFileSync(new URL(newest, folder), 'utf8')) as Run;
}
