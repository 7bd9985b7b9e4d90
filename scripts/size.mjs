// Prints how many bytes a program that bundles us pays, minified and `gzip -9`, and fails above a budget.
// It measures what is built: build first.
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * One kB is 1000 bytes. `export`: what the measured program takes from the built files. `external`: what is not counted.
 * `goal`: where a budget has to come down to; docs/decisions/0005-sizes.md says what stands between.
 * @type {readonly { name: string, export: string, budget: number, goal?: number, external?: string[], platform?: 'neutral' | 'node' }[]}
 */
const budgets = [
  {
    name: 'framing: createLineDecoder',
    export: "{ createLineDecoder } from './packages/core/dist/framing/index.js'",
    budget: 1100,
  },
  { name: 'framing: whole', export: "* from './packages/core/dist/framing/index.js'", budget: 1500, goal: 1400 },
  {
    name: 'core: line decoder, outbound stream, pending requests, session',
    export:
      "{ createLineDecoder, encodeLine, createOutboundStream, createPendingRequests, createSession } from './packages/core/dist/index.js'",
    budget: 7110,
    goal: 5000,
  },
  { name: 'core: whole root entry', export: "* from './packages/core/dist/index.js'", budget: 15_000 },
  {
    name: 'core: host, with all of the session',
    export: "* from './packages/core/dist/session/host/index.js'",
    budget: 15_910,
    goal: 13_000,
  },
  {
    name: 'core: agent, with all of the session',
    export: "* from './packages/core/dist/session/agent/index.js'",
    budget: 24_210,
  },
  { name: 'core: messages', export: "* from './packages/core/dist/messages/index.js'", budget: 26_000 },
  {
    name: 'transport-stdio: createStdioTransport, own code',
    export: "{ createStdioTransport } from './packages/transport-stdio/dist/index.js'",
    budget: 930,
    external: ['@proto/*'],
    platform: 'node',
  },
  {
    name: 'transport-stdio: spawnAgent, own code',
    export: "{ spawnAgent } from './packages/transport-stdio/dist/index.js'",
    budget: 6200,
    goal: 4000,
    external: ['@proto/*'],
    platform: 'node',
  },
  {
    name: 'transport-websocket: createSocketTransport, own code',
    export: "{ createSocketTransport } from './packages/transport-websocket/dist/index.js'",
    budget: 4760,
    goal: 4000,
    external: ['@proto/*'],
  },
  {
    name: 'transport-websocket: createReconnectingTransport, own code',
    export: "{ createReconnectingTransport } from './packages/transport-websocket/dist/index.js'",
    budget: 6710,
    goal: 4000,
    external: ['@proto/*'],
  },
  {
    name: 'adapters: every backend, without core',
    export: "* from './packages/adapters/dist/index.js'",
    budget: 13_200,
    external: ['@proto/*'],
  },
  {
    name: 'transport-sse: createSseTransport, own code',
    export: "{ createSseTransport } from './packages/transport-sse/dist/index.js'",
    budget: 6070,
    goal: 4000,
    external: ['@proto/*', 'eventsource-parser'],
  },
  {
    name: 'transport-sse: createSseWorkerTransport, own code',
    export: "{ createSseWorkerTransport } from './packages/transport-sse/dist/index.js'",
    budget: 9000,
    external: ['@proto/*', 'eventsource-parser'],
  },
  {
    name: 'ingress: own code',
    export: "* from './packages/ingress/dist/index.js'",
    budget: 28_700,
    external: ['@proto/*', 'hono', 'hono/*', '@hono/*', 'jose', 'libsql', 'ws'],
    platform: 'node',
  },
  {
    name: 'cli: stdio path of sjp-agent',
    export: "* from './packages/cli/dist/agent.js'",
    budget: 54_240,
    goal: 40_000,
    platform: 'node',
  },
];

/**
 * The gzipped bytes a program loads at its start. What it imports later, by `import()`, is another chunk and not counted.
 * @param {(typeof budgets)[number]} entry
 */
async function bytes({ export: names, external = [], platform = 'neutral' }) {
  const { metafile, outputFiles } = await build({
    absWorkingDir: root,
    stdin: { contents: `export ${names};`, resolveDir: root },
    outdir: 'out',
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    target: 'node20',
    platform,
    external,
    metafile: true,
    write: false,
    legalComments: 'none',
    logLevel: 'silent',
  });
  const sizes = new Map(
    outputFiles.map(({ path, contents }) => [path.slice(root.length), gzipSync(contents, { level: 9 }).length]),
  );
  const loaded = new Set(['out/stdin.js']);
  for (const output of loaded) {
    for (const { path, kind, external } of metafile.outputs[output]?.imports ?? []) {
      if (kind === 'import-statement' && !external) loaded.add(path);
    }
  }
  return [...loaded].reduce((sum, output) => sum + (sizes.get(output) ?? NaN), 0);
}

// For the benchmarks, which show the sizes beside those of others.
if (process.argv.includes('--json')) {
  const sizes = budgets.map(async (entry) => ({ ...entry, bytes: await bytes(entry) }));
  console.log(JSON.stringify(await Promise.all(sizes)));
  process.exit();
}

console.log(`${'bytes'.padStart(7)} ${'budget'.padStart(7)}`);
for (const entry of budgets) {
  let line = `${'?'.padStart(7)} ${String(entry.budget).padStart(7)}  ${entry.name}`;
  try {
    const size = await bytes(entry);
    line = `${String(size).padStart(7)} ${String(entry.budget).padStart(7)}  ${entry.name}`;
    if (!(size <= entry.budget)) throw new Error('too large');
    if (entry.goal !== undefined && size > entry.goal) line += `  (goal ${entry.goal})`;
  } catch (error) {
    process.exitCode = 1;
    line += `  FAILED: ${String(error instanceof Error ? error.message : error).trim()}`;
  }
  console.log(line);
}
