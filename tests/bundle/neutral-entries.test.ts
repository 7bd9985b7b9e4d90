/** Every entry that is not made for Node can be bundled for a browser and for workerd. */
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { verifies } from '@proto/test-support/verifies';
import { build } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { NEUTRAL_ENTRIES, NODE_ENTRIES } from '../runtimes/neutral-entries.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** The conditions with which each of them resolves packages. Neither has Node's modules. */
const TARGETS = { 'a browser': ['browser'], workerd: ['workerd', 'worker', 'browser'] };

/** Bundles a program that imports all of an entry. A module of Node fails this build. */
async function bundleOf(entry: string, conditions: readonly string[]): Promise<Uint8Array> {
  const { outputFiles } = await build({
    stdin: { contents: `export * from '${entry}';`, resolveDir: ROOT },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    conditions: [...conditions],
    write: false,
    logLevel: 'silent',
  });
  return outputFiles[0]?.contents ?? new Uint8Array();
}

describe.each(Object.entries(TARGETS))('for %s', (_, conditions) => {
  test.each(NEUTRAL_ENTRIES)('%s can be bundled', async (entry) => {
    expect((await bundleOf(entry, conditions)).length).toBeGreaterThan(0);
  });
});

test.each(Object.keys(NODE_ENTRIES))('%s is rightly listed as an entry for Node', async (entry) => {
  await expect(bundleOf(entry, TARGETS.workerd)).rejects.toThrow('Could not resolve');
});

verifies('VIEW-5', 'the view of a session needs at most 8 kB and no other package', async () => {
  const bundle = await bundleOf('@proto/host/view', TARGETS['a browser']);
  expect(gzipSync(bundle, { level: 9 }).length).toBeLessThanOrEqual(8000);
});
