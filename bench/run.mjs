// Bundles the benchmarks with the current sources and runs them. The bundle is needed because Node 20 cannot read TypeScript, and it makes a build of
// the workspace packages unnecessary. `node bench/run.mjs` runs every suite, and `node bench/run.mjs NAME` runs one suite.
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
    // A process that measures one case does not load the other cases.
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
