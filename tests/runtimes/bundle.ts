import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** Bundles the program as one platform-neutral module that runs `start`, which may call `run` of the program. */
export async function bundleProgram(start: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: {
      contents: `import { run } from './program.ts';\n${start}`,
      resolveDir: fileURLToPath(new URL('.', import.meta.url)),
    },
    bundle: true,
    format: 'esm',
    platform: 'browser',
    // Code that needs a newer version fails here.
    target: 'es2022',
    write: false,
  });
  return outputFiles[0]?.text ?? '';
}
