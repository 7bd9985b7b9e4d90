// Bundles each bin into one file, with what a command needs loaded on demand, and makes it executable.
import { chmod, rm } from 'node:fs/promises';
import { build } from 'esbuild';

await rm('dist', { recursive: true, force: true });
await build({
  entryPoints: ['src/main.ts', 'src/agent.ts'],
  outdir: 'dist',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  chunkNames: 'chunks/[name]-[hash]',
  // commander is CommonJS and asks for Node's modules with `require`, which a module does not have.
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module';\nconst require = __createRequire(import.meta.url);",
  },
  legalComments: 'inline',
});
for (const bin of ['dist/main.js', 'dist/agent.js']) await chmod(bin, 0o755);
