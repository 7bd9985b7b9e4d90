// Simulates clients, nodes and their store in virtual time: node scripts/simulate.mjs [--seed N] [--schedules M] [--nodes N]. First bundles the
// sources of the simulation, because Node 20 cannot read TypeScript. See docs/simulation.md.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const folder = mkdtempSync(join(tmpdir(), 'simulation-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
const outfile = join(folder, 'main.mjs');
await build({
  entryPoints: [fileURLToPath(new URL('../tests/simulation/main.ts', import.meta.url))],
  outfile,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  conditions: ['@proto/source'],
  // This package is loaded when it is first used, and the simulation does not use it.
  external: ['libsql'],
});
await import(pathToFileURL(outfile).href);
