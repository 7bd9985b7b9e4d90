// Random schedules of what may happen in any order: node scripts/schedules.mjs [--seed N] [--runs M] [--only NAME]… [--as-found] [--json]. They are
// bundled from source first: plain Node 20 reads no TypeScript.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const folder = mkdtempSync(join(tmpdir(), 'schedules-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
const outfile = join(folder, 'main.mjs');
await build({
  entryPoints: [fileURLToPath(new URL('../tests/schedules/main.ts', import.meta.url))],
  outfile,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  conditions: ['@proto/source'],
  // Loaded when it is used, which it is not here.
  external: ['libsql'],
});
await import(pathToFileURL(outfile).href);
