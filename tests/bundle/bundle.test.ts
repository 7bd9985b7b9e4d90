/** Bundles the platform-neutral entries without tree shaking, to see every file that they reach. */
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { verifies } from '@proto/test-support/verifies';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** The path of a file without its shelf: `core/dist/index.js`. */
const offShelf = (path: string) => path.replace(/^(?:packages|server|apps)\//, '');

/** Bundles a program that imports all of `entry`. A `node:` import fails this build. */
async function bundleOf(entry: string) {
  const { metafile, outputFiles } = await build({
    absWorkingDir: ROOT,
    stdin: { contents: `export * from '${entry}';`, resolveDir: import.meta.dirname },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'neutral',
    metafile: true,
    write: false,
    logLevel: 'silent',
  });
  const inputs = Object.keys(metafile.inputs).filter((path) => path !== '<stdin>');
  const parts = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.entries(inputs));
  // Count only what tree shaking leaves: an entry that serves several packages exports more than each of them uses.
  const taken = inputs.filter((file) => parts.some(([path, { bytesInOutput }]) => path === file && bytesInOutput > 0));
  return {
    files: inputs.map(offShelf),
    taken: taken.map(offShelf),
    bytes: gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length,
  };
}

/** Returns the built files that a program needs if it imports `entry`. */
async function filesOf(entry: string): Promise<readonly string[]> {
  return (await bundleOf(entry)).files;
}

test.each([
  '@proto/core',
  '@proto/agent',
  '@proto/core/framing',
  '@proto/core/transport',
  '@proto/host',
  '@proto/recording',
  '@proto/permissions',
  '@proto/reference-agent',
  '@proto/adapters',
  '@proto/transport-websocket',
])('%s consists of our own built code', async (entry) => {
  const files = await filesOf(entry);
  expect(files).not.toEqual([]);
  expect(
    files.filter(
      (path) =>
        !/^(core|host|agent|recording|permissions|reference-agent|adapters|transport-websocket)\/dist\//.test(path),
    ),
  ).toEqual([]);
});

test.each(['@proto/core', '@proto/agent', '@proto/host'])(
  '%s contains no schema, and only the checks of the messages that a session acts on',
  async (entry) => {
    expect((await filesOf(entry)).filter((path) => /zod|\/schemas\/|message-checks/.test(path))).toEqual([]);
  },
);

test('@proto/core/messages contains no schema', async () => {
  expect((await filesOf('@proto/core/messages')).filter((path) => !path.startsWith('core/dist/messages/'))).toEqual([]);
});

test.each([
  ['@proto/agent', /^host\//],
  ['@proto/host', /^agent\//],
])('%s holds nothing of the other side', async (entry, other) => {
  expect((await filesOf(entry)).filter((path) => other.test(path))).toEqual([]);
});

test('@proto/transport-sse imports only what a transport may import, and the parser of event streams', async () => {
  const { files, taken } = await bundleOf('@proto/transport-sse');
  expect(
    taken.filter(
      (path) => !/^core\/dist\/(framing|json|transport)\/|^transport-sse\/dist\/|\/eventsource-parser\//.test(path),
    ),
  ).toEqual([]);
  expect(files.filter((path) => path.startsWith('transport-sse/dist/node/'))).toEqual([]);
});

test('@proto/core/framing imports nothing outside its folder', async () => {
  expect((await filesOf('@proto/core/framing')).filter((path) => !path.startsWith('core/dist/framing/'))).toEqual([]);
});

verifies('COST-1', 'the core needs at most 15 kB without zod, and the framer alone at most 2 kB', async () => {
  const [core, framing] = await Promise.all([bundleOf('@proto/core'), bundleOf('@proto/core/framing')]);
  expect(core.bytes).toBeLessThanOrEqual(15_000);
  expect(framing.bytes).toBeLessThanOrEqual(2000);
  expect(core.files.filter((path) => !path.startsWith('core/dist/'))).toEqual([]);
  expect(framing.files.filter((path) => !path.startsWith('core/dist/framing/'))).toEqual([]);
});

test('@proto/core/transport imports only framing', async () => {
  const files = await filesOf('@proto/core/transport');
  expect(files.filter((path) => !/^core\/dist\/(framing|transport)\//.test(path))).toEqual([]);
});

test('@proto/adapters imports only framing', async () => {
  const { files, taken } = await bundleOf('@proto/adapters');
  expect(taken.filter((path) => !/^(core\/dist\/framing|adapters\/dist)\//.test(path))).toEqual([]);
  expect(files.filter((path) => path.startsWith('adapters/dist/node/'))).toEqual([]);
});

test('@proto/permissions takes the JSON reader of core, and nothing else', async () => {
  const { taken } = await bundleOf('@proto/permissions');
  expect(taken.filter((path) => !path.startsWith('permissions/dist/'))).toEqual([
    'core/dist/framing/parse-json.js',
    'core/dist/framing/parse-config.js',
  ]);
});
