// Prints how many bytes our packages add to a bundled program, minified and `gzip -9`. Fails if an import is more than 3 % larger than in
// scripts/size/accepted.json, or if a document states a different size. `--accept` rewrites that file and the sizes in the documents, and prints
// which imports grew or shrank. `--parts NAME` lists the files in one import. Measures the built files: build first.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

import { staleSizes, writeSizes } from './size/stated-sizes.mjs';
import { writeJson } from './write-json.mjs';

const rootUrl = new URL('..', import.meta.url);
const root = fileURLToPath(rootUrl);
const file = new URL('size/accepted.json', import.meta.url);
/** The growth that needs no explanation: 3 %. */
const SLACK = 0.03;

/**
 * Sizes are in bytes. `export`: what the measured program imports from the built files. `external`: the packages that are not counted.
 * `goal`: the size to reach; docs/decisions/0005-sizes.md explains the difference. `file`: a file that is not imported, and is compressed as it is.
 * @typedef {{ name: string, export?: string, file?: string, goal?: number, external?: string[], platform?: 'neutral' | 'node' }} Entry
 * @type {readonly Entry[]}
 */
const imports = [
  {
    name: 'framing: createLineDecoder',
    export: "{ createLineDecoder } from './packages/core/dist/framing/index.js'",
  },
  { name: 'framing: whole', export: "* from './packages/core/dist/framing/index.js'", goal: 1400 },
  {
    name: 'core: line decoder, outbound stream, pending requests, session',
    export: "{ createOutboundStream, createPendingRequests, createSession } from './packages/core/dist/index.js'",
    goal: 5000,
  },
  { name: 'core: whole root entry', export: "* from './packages/core/dist/index.js'" },
  {
    name: 'host: whole, with all of core that it takes',
    export: "* from './packages/host/dist/index.js'",
    goal: 13_000,
  },
  {
    name: 'host: view of a session',
    export: "* from './packages/host/dist/view/index.js'",
    goal: 8000,
  },
  {
    name: 'web client: view, host session and viewer',
    export:
      "{ createHostSession } from './packages/host/dist/index.js'; export { createSessionView } from './packages/host/dist/view/index.js'; export { openSession, openViewer } from './server/remote/dist/index.js'",
  },
  {
    name: 'agent: whole, with all of core that it takes',
    export: "* from './packages/agent/dist/index.js'",
  },
  { name: 'core: messages', export: "* from './packages/core/dist/messages/index.js'" },
  {
    name: 'transport-stdio: createStdioTransport, own code',
    export: "{ createStdioTransport } from './packages/transport-stdio/dist/index.js'",
    external: ['@proto/*'],
    platform: 'node',
  },
  {
    name: 'transport-stdio: spawnAgent, own code',
    export: "{ spawnAgent } from './packages/transport-stdio/dist/index.js'",
    goal: 4000,
    external: ['@proto/*'],
    platform: 'node',
  },
  {
    name: 'transport-websocket: createWebSocketTransport, own code',
    export: "{ createWebSocketTransport } from './packages/transport-websocket/dist/index.js'",
    goal: 4000,
    external: ['@proto/*'],
  },
  {
    name: 'transport-websocket: createWebSocketClientTransport, own code',
    export: "{ createWebSocketClientTransport } from './packages/transport-websocket/dist/index.js'",
    goal: 4000,
    external: ['@proto/*'],
  },
  {
    name: 'transport-websocket: createWebSocketClientTransport, with all of core that it takes',
    export: "{ createWebSocketClientTransport } from './packages/transport-websocket/dist/index.js'",
  },
  {
    name: 'adapters: every backend, without core',
    export: "* from './packages/adapters/dist/index.js'",
    external: ['@proto/*'],
  },
  {
    name: 'transport-sse: createSseTransport, own code',
    export: "{ createSseTransport } from './packages/transport-sse/dist/index.js'",
    goal: 4000,
    external: ['@proto/*', 'eventsource-parser'],
  },
  {
    name: 'transport-sse: createSseWorkerTransport, own code',
    export: "{ createSseWorkerTransport } from './packages/transport-sse/dist/index.js'",
    external: ['@proto/*', 'eventsource-parser'],
  },
  {
    name: 'transport-sse: createSseTransport, with all of core that it takes',
    export: "{ createSseTransport } from './packages/transport-sse/dist/index.js'",
    external: ['eventsource-parser'],
  },
  {
    name: 'ingress: own code',
    export: "* from './server/ingress/dist/index.js'",
    external: ['@proto/*', 'hono', 'hono/*', '@hono/*', 'jose', 'libsql', 'ws'],
    platform: 'node',
  },
  {
    name: 'cli: stdio path of sjp-agent',
    export: `* from './packages/cli/dist/${agentChunk()}'`,
    goal: 40_000,
    platform: 'node',
  },
  { name: 'inspector: the page', file: 'apps/inspector/dist/inspector.html' },
];

/** The part of `sjp-agent` that its executable loads immediately. Empty before a build. */
function agentChunk() {
  const agent = new URL('packages/cli/dist/agent.js', rootUrl);
  return (
    /import\("\.\/(chunks\/run-agent-program-\w+\.js)"\)/.exec(
      existsSync(agent) ? readFileSync(agent, 'utf8') : '',
    )?.[1] ?? ''
  );
}

/**
 * The gzipped bytes that a program loads at its start, and the minified bytes of each file in them. Code that the program loads later, by `import()`, is in
 * another chunk and does not count.
 * @param {Entry} entry
 */
async function measure({ export: names, file, external = [], platform = 'neutral' }) {
  if (file !== undefined) {
    const { length } = gzipSync(readFileSync(new URL(file, rootUrl)), { level: 9 });
    return { bytes: length, parts: [] };
  }
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
  const bytes = [...loaded].reduce((sum, output) => sum + (sizes.get(output) ?? NaN), 0);
  const parts = [...loaded].flatMap((output) => Object.entries(metafile.outputs[output]?.inputs ?? {}));
  return { bytes, parts: parts.map(([path, { bytesInOutput }]) => ({ path, bytes: bytesInOutput })) };
}

/** @type {Record<string, number>} The accepted size of each import. */
const accepted = JSON.parse(readFileSync(file, 'utf8'));
const [, , flag, wanted] = process.argv;

if (flag === '--json') {
  // For the benchmarks, which compare the sizes with other libraries. Every document states the accepted size.
  const sizes = imports.map((entry) => ({ ...entry, bytes: accepted[entry.name], limit: limitOf(entry.name) }));
  console.log(JSON.stringify(sizes));
} else if (flag === '--parts') {
  const entry = imports.find(({ name }) => name === wanted);
  if (entry === undefined)
    throw new Error(`no such import: ${wanted}. There are: ${imports.map(({ name }) => name).join('; ')}`);
  const { bytes, parts } = await measure(entry);
  for (const part of parts.toSorted((a, b) => b.bytes - a.bytes))
    console.log(`${String(part.bytes).padStart(7)} ${part.path}`);
  console.log(`${String(bytes).padStart(7)} of all, gzipped`);
} else if (flag === '--accept') await accept();
else await check();

async function accept() {
  /** @type {Record<string, number>} */
  const now = {};
  for (const entry of imports) {
    const { bytes } = await measure(entry);
    const before = accepted[entry.name];
    now[entry.name] = bytes;
    if (bytes !== before)
      console.log(`${entry.name}: ${before ?? 'new'} -> ${bytes}${before ? ` (${signed(bytes - before)} bytes)` : ''}`);
  }
  writeJson(file, now);
  for (const name of writeSizes(root, statedOf(now))) console.log(`${name}: rewritten`);
}

async function check() {
  console.log(`${'bytes'.padStart(7)} ${'limit'.padStart(7)}`);
  for (const entry of imports) {
    const limit = limitOf(entry.name);
    let line = `${'?'.padStart(7)} ${String(limit).padStart(7)}  ${entry.name}`;
    try {
      const { bytes } = await measure(entry);
      line = `${String(bytes).padStart(7)} ${String(limit).padStart(7)}  ${entry.name}`;
      if (!(bytes <= limit))
        throw new Error(
          'too large: if the growth has a good reason, run node scripts/size.mjs --accept, and give the reason in the commit',
        );
      if (entry.goal !== undefined && bytes > entry.goal) line += `  (goal ${entry.goal})`;
    } catch (error) {
      process.exitCode = 1;
      line += `  FAILED: ${String(error instanceof Error ? error.message : error).trim()}`;
    }
    console.log(line);
  }
  for (const problem of staleSizes(root, statedOf(accepted))) {
    process.exitCode = 1;
    console.log(`${problem} FAILED: run node scripts/size.mjs --accept`);
  }
}

/**
 * What documents state about each import.
 * @param {Record<string, number>} sizes
 */
function statedOf(sizes) {
  return imports.map(({ name, goal }) => {
    const bytes = sizes[name] ?? 0;
    return { name, bytes, limit: goal ?? limitOf(name, sizes) };
  });
}

/** @param {string} name */
function limitOf(name, sizes = accepted) {
  return Math.floor((sizes[name] ?? 0) * (1 + SLACK));
}

/** @param {number} number */
function signed(number) {
  return number < 0 ? String(number) : `+${number}`;
}
