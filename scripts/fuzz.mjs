// Runs the fuzzers of the ingress and of permission rules: node scripts/fuzz.mjs cost|rights|framing|rules [--seed N] [--minutes M] [--only NAME] [--json].
// First bundles the sources of the fuzzers and of the server that they start, because Node 20 cannot read TypeScript.
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const folder = mkdtempSync(join(tmpdir(), 'fuzz-bundle-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
const source = (/** @type {string} */ name) => fileURLToPath(new URL(`../tests/fuzz/${name}`, import.meta.url));
const { resolve } = createRequire(new URL('../server/ingress/package.json', import.meta.url));

await build({
  // All files go into one folder, because the program starts the others by their file names.
  entryPoints: ['main.ts', 'server/served-ingress.mjs', 'server/healthz-probe.mjs'].map(source),
  entryNames: '[name]',
  outdir: folder,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  conditions: ['@proto/source'],
  // `ws` calls `require` for modules of Node.
  banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  plugins: [
    {
      name: 'native-code-stays-where-it-is',
      setup(bundle) {
        bundle.onResolve({ filter: /^libsql$/ }, () => ({
          path: pathToFileURL(resolve('libsql')).href,
          external: true,
        }));
      },
    },
  ],
});
await import(pathToFileURL(join(folder, 'main.mjs')).href);
