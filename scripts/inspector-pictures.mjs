// Makes the pictures of docs/inspector.md and docs/cassettes.md from the page as it was built: node scripts/inspector-pictures.mjs [FOLDER]. Needs Chromium.
import { rmSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const place = (/** @type {string} */ name) => fileURLToPath(new URL(`../${name}`, import.meta.url));
process.argv[2] ??= place('docs/picture');
// In the folder of its source, which finds built programs by its own place. Node 20 reads no TypeScript.
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
