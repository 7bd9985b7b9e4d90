// Bundles the benchmarks with the current sources and runs them: plain Node 20 reads no TypeScript, and workspace packages
// are measured as they are, without a build. `node bench/run.mjs` runs every suite, `node bench/run.mjs NAME` one.
import { readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('.', import.meta.url));
const { devDependencies } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
const outfile = `${root}dist/main.mjs`;
await build({
  entryPoints: [`${root}src/main.ts`],
  outfile,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  conditions: ['@proto/source'],
  // Peers are measured as published.
  external: Object.keys(devDependencies).filter((name) => !name.startsWith('@proto/')),
});
await import(pathToFileURL(outfile).href);
