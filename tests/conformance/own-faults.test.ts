/** Plants single faults in copies of our agent, our host and our server, which are built from the source, and demands that the suite finds each. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type CaseResult, findRequirement, selectCases, testAgent, testHost, testServer } from '@proto/conformance';
import { build } from 'esbuild';
import { afterAll, describe, expect, test } from 'vitest';

interface Fault {
  readonly side: 'agent' | 'host' | 'server';
  /** The section of the specification, or its number before the dot, that a failure has to name. */
  readonly section: string;
  /** The cases that are run. */
  readonly include: string;
  /** The package and the exported name, the syntax that is replaced there, and its replacement (see `scripts/faults/plant.mjs`). */
  readonly in: string;
  readonly find: string;
  readonly becomes: string;
}

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '../..');
const { plant } = await import(new URL('../../scripts/faults/plant.mjs', import.meta.url).href);
const faults = JSON.parse(readFileSync(join(here, 'own-faults.json'), 'utf8')) as readonly Fault[];
const folder = mkdtempSync(join(tmpdir(), 'own-faults-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const ENTRIES = {
  agent: join(root, 'packages/cli/src/agent.ts'),
  host: join(here, 'adapters/host.mjs'),
  server: join(here, 'own-server.ts'),
};
// Most faults are found in a fraction of the usual time. On a busy machine, some faults take the whole time.
const SCALES = [0.3, 1];

/** Builds one side with a fault. Returns the file. */
async function built({ side, ...fault }: Fault): Promise<string> {
  const planted: { readonly path: string; readonly text: string } = plant(root, { id: 'the fault', ...fault });
  const path = join(root, planted.path);
  const outfile = join(folder, `${side}-${Math.random().toString(36).slice(2)}.mjs`);
  await build({
    entryPoints: [ENTRIES[side]],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    conditions: ['@proto/source'],
    external: ['libsql'],
    absWorkingDir: root,
    logLevel: 'error',
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module';\nconst require = __createRequire(import.meta.url);",
    },
    plugins: [
      {
        name: 'fault',
        setup({ onLoad }) {
          onLoad({ filter: /\.ts$/ }, ({ path: loaded }) =>
            loaded === path ? { contents: planted.text, loader: 'ts' } : undefined,
          );
        },
      },
    ],
  });
  return outfile;
}

/** Runs the cases of a fault on the side that has it. */
async function run(fault: Fault, timeoutScale: number): Promise<readonly CaseResult[]> {
  const cases = selectCases(fault.side, [fault.include]);
  const program = await built(fault);
  const options = { cases, timeoutScale, jobs: 3 };
  if (fault.side === 'agent') return testAgent({ ...options, agent: { command: process.execPath, args: [program] } });
  if (fault.side === 'host') return testHost({ ...options, command: [process.execPath, program], adapter: true });
  const { startOwnServer } = (await import(pathToFileURL(program).href)) as typeof import('./own-server.ts');
  await using server = await startOwnServer();
  return await testServer({ ...options, url: server.url, profile: server.profile });
}

/** The sections that failures name. */
function sectionsOf(results: readonly CaseResult[]): string[] {
  const failed = results.filter(({ verdict }) => verdict === 'failed' || verdict === 'warned');
  return failed.flatMap(({ failures }) => failures.map(({ spec }) => sectionOf(spec)));
}

const sectionOf = (spec: string) => findRequirement(spec)?.section ?? '';

describe.each(['agent', 'host', 'server'] as const)('faults of our %s', (side) => {
  test.each(faults.filter((fault) => fault.side === side))('$in: $find', { timeout: 120_000 }, async (fault) => {
    let sections: string[] = [];
    for (const scale of SCALES) {
      sections = sectionsOf(await run(fault, scale));
      if (sections.some((section) => `${section}.`.startsWith(`${fault.section}.`))) return;
    }
    expect.fail(`the failures name ${sections.join(', ') || 'no section'}, and not ${fault.section}`);
  });
});
