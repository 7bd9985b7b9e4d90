// Takes the pictures for docs/inspector.md and docs/cassettes.md from the built page: node scripts/inspector-pictures.mjs [FOLDER]. Needs Chromium.
import { rmSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const place = (/** @type {string} */ name) => fileURLToPath(new URL(`../${name}`, import.meta.url));
process.argv[2] ??= place('docs/picture');
// The bundle is written into the folder of its source, because the source finds built programs relative to its own path. The bundle is needed because
// Node 20 cannot read TypeScript.
const file = place('tests/inspector/.pictures.mjs');
process.once('exit', () => rmSync(file, { force: true }));
await build({
  entryPoints: [place('tests/inspector/pictures.ts')],
  outfile: file,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
});
await import(pathToFileURL(file).href);
