import { execFileSync } from 'node:child_process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { median } from './measure.ts';
import { report } from './report.ts';

const RUNS = 11;

/** V2: the cost of the first checks in a fresh process, including everything that must be built for them. */
export async function validateCold(): Promise<void> {
  const { delta, all } = inFreshProcesses<'delta' | 'all'>('first-checks');
  const zod = inFreshProcesses<'build' | 'check'>('first-checks', 'zod');
  const loading = inFreshProcesses<'import'>('import-cost', await bundledParseMessage());
  const row = { id: 'V2', metric: 'ms', tol: 0.25, base: 'fresh process', atMost: true } as const;
  report({ ...row, case: 'import of parseMessage, bundled', value: loading.import, goal: 6 });
  report({ ...row, case: 'first delta', value: delta, goal: 0.6 });
  report({ ...row, case: 'one of each type', value: all, goal: 1.5 });
  report({ ...row, case: 'one of each type: loading the schemas of zod/mini', value: zod.build });
  report({ ...row, case: 'one of each type: checked by them', value: zod.check });
}

/** Returns the median, over several processes, of each figure that a script prints. */
function inFreshProcesses<Name extends string>(
  script: string,
  ...args: readonly string[]
): Readonly<Record<Name, number>> {
  const path = fileURLToPath(new URL(`${script}.mjs`, import.meta.url));
  const runs = Array.from({ length: RUNS }, () => {
    return JSON.parse(execFileSync(process.execPath, [path, ...args], { encoding: 'utf8' })) as Record<Name, number>;
  });
  const [first] = runs as [Record<Name, number>];
  const medians = { ...first };
  for (const name in first) medians[name] = median(runs.map((run) => run[name]));
  return medians;
}

/** Bundles and minifies the checks of messages, as a program has them. */
async function bundledParseMessage(): Promise<string> {
  const outfile = fileURLToPath(new URL('parse-message.bundled.mjs', import.meta.url));
  const contents = `export { parseMessage } from '@proto/core/messages';`;
  const stdin = { contents, resolveDir: fileURLToPath(new URL('..', import.meta.url)) };
  const target = { format: 'esm', target: 'node20', platform: 'node' } as const;
  await build({ stdin, outfile, bundle: true, minify: true, conditions: ['@proto/source'], ...target });
  return pathToFileURL(outfile).href;
}
