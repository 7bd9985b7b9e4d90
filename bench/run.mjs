// Bundles the benchmarks with the current sources and runs them: plain Node 20 reads no TypeScript, and workspace packages
// are measured as they are, without a build. `node bench/run.mjs` runs every suite, `node bench/run.mjs NAME` one.
import { readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('.', import.meta.url));
const { devDependencies } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
/**
 * @param {readonly string[]} names
 * @param {readonly string[]} external
 */
const bundle = (names, external) =>
  build({
    entryPoints: names.map((name) => `${root}src/${name}.ts`),
    outdir: `${root}dist`,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    // A process that measures one case loads no other case.
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    conditions: ['@proto/source'],
    external: ['libsql', ...external],
  });
const peers = Object.keys(devDependencies).filter((name) => !name.startsWith('@proto/'));
// Some suites measure a fresh process that runs its own script. Peers are measured as published.
await bundle(
  ['main', 'run-case', 'first-checks', 'import-cost', 'prompted-agent'],
  peers.flatMap((name) => [name, `${name}/*`]),
);
await bundle(['checked-agent'], []);
await import(pathToFileURL(`${root}dist/main.mjs`).href);
