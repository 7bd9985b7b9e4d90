// Runs scenarios in random orders: node scripts/schedules.mjs [--seed N] [--runs M] [--only NAME]… [--as-found] [--json]. First bundles the sources
// of the scenarios, because Node 20 cannot read TypeScript.
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
  // This package is loaded only when it is first used, and the scenarios do not use it.
  external: ['libsql'],
  // CommonJS packages in the bundle load modules of Node with `require`.
  banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
});
await import(pathToFileURL(outfile).href);
