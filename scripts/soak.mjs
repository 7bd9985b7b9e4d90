// Sends a million messages over each kind of link: node scripts/soak.mjs [--messages N] [--cuts N] [--over websocket|sse]… [--seed N] [--json].
// Fails if a message is lost, doubled or out of order, if a request gets no answer, or if the heap has grown. First bundles the sources of the
// program, because Node 20 cannot read TypeScript.
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const folder = mkdtempSync(join(tmpdir(), 'soak-bundle-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
const { resolve } = createRequire(new URL('../server/ingress/package.json', import.meta.url));
const outfile = join(folder, 'main.mjs');

await build({
  entryPoints: [fileURLToPath(new URL('../tests/soak/main.ts', import.meta.url))],
  outfile,
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
await import(pathToFileURL(outfile).href);
