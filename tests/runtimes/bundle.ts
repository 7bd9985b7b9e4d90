import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** The program as one module for no particular platform, which runs `start` with `run` of the program. */
export async function bundleProgram(start: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: {
      contents: `import { run } from './program.ts';\n${start}`,
      resolveDir: fileURLToPath(new URL('.', import.meta.url)),
    },
    bundle: true,
    format: 'esm',
    platform: 'browser',
    // What needs a newer one would have to say so.
    target: 'es2022',
    write: false,
  });
  return outputFiles[0]?.text ?? '';
}
