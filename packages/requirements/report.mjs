// Node 20 runs no TypeScript and a private package has no build step, so the report is bundled each time: some 20 ms.
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const bundle = new URL('dist/report.js', import.meta.url);
await build({
  entryPoints: [fileURLToPath(new URL('src/report.ts', import.meta.url))],
  outfile: fileURLToPath(bundle),
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
});
const { report } = await import(bundle.href);

const { output, exitCode } = report(fileURLToPath(new URL('../..', import.meta.url)), process.argv.slice(2));
console.log(output);
process.exitCode = exitCode;
