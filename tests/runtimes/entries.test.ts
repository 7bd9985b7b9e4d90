/** Uses every entry that needs no Node on every platform, and compares the table of docs/packages.md with what is run. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build, type BuildOptions } from 'esbuild';
import { afterAll, expect, test } from 'vitest';
import { isSkipped as isPageSkipped, openPage } from './chromium.ts';
import { USES } from './entries/uses.ts';
import { isSkipped, RUNTIMES, type Runtime } from './installed-runtimes.ts';
import { NEUTRAL_ENTRIES } from './neutral-entries.ts';
import { servePage } from './serve-page.ts';
import { runInWorkerd, WORKERD } from './workerd.ts';

const LIMIT_MS = 60_000;
const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
// Inside this package, so that the imports resolve.
const folder = mkdtempSync(path('run-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Entries that need vitest, with which the tests of their package use them. */
const NOT_RUN = ['@proto/ingress/vitest'];

async function program(start: string, options: BuildOptions): Promise<string> {
  const contents = `import { runUses } from './uses.ts';\n${start}`;
  const stdin = { contents, resolveDir: path('entries') };
  const { outputFiles } = await build({
    stdin,
    bundle: true,
    format: 'esm',
    target: 'es2022',
    write: false,
    ...options,
  });
  return outputFiles?.[0]?.text ?? '';
}

/** For a browser and for workerd, the packages are in the program. */
const forBrowsers = (start: string) => program(start, { platform: 'browser' });

const node20: Runtime = { name: 'Node 20', command: process.execPath, flags: [], isNode: true };

test.each([node20, ...RUNTIMES].filter((runtime) => !isSkipped(runtime)))(
  'each entry works in $name',
  { timeout: LIMIT_MS },
  async (runtime) => {
    const { name, command, flags } = runtime;
    const file = join(folder, `${name.replace(' ', '-')}.mjs`);
    // The packages are found as in a program that has installed them.
    const start = 'console.log(JSON.stringify(await runUses()));';
    writeFileSync(file, await program(start, { platform: 'neutral', packages: 'external' }));
    const env = { HOME: folder, DENO_DIR: folder, DENO_NO_UPDATE_CHECK: '1', DO_NOT_TRACK: '1', NO_COLOR: '1' };
    const { stdout } = await promisify(execFile)(command, [...flags, file], { env, timeout: LIMIT_MS });
    expect(JSON.parse(stdout)).toEqual({});
  },
);

test.skipIf(isSkipped(WORKERD))('each entry works in workerd', { timeout: LIMIT_MS }, async () => {
  const module = await forBrowsers('export default { fetch: async () => Response.json(await runUses()) };');
  expect(await runInWorkerd(module, {})).toEqual({});
});

test.skipIf(isPageSkipped)('each entry works in a page of Chromium', { timeout: LIMIT_MS }, async () => {
  const module = await forBrowsers('globalThis.uses = runUses();');
  await using server = await servePage(() => module);
  await using page = await openPage(server.url);
  expect(await page.evaluate(server.whenSet('uses'))).toEqual({});
});

/** What is run elsewhere: the columns in which it is not run, and the footnote that says why. */
const PROGRAMS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'the first program of the README, over stdio': { workerd: '¹', Chromium: '¹' },
  'the same over a WebSocket': {},
  'the same over an event stream': {},
  'the agent of the README': { workerd: '¹', Chromium: '¹' },
  'the transport contract, with the `WebSocket` and the `fetch` of the platform': { 'Node 20': '²' },
};
const COLUMNS = [node20, ...RUNTIMES].map(({ name }) => name).concat('workerd', 'Chromium');

function tableOfPlatforms(): string {
  const row = (name: string, cells: readonly string[]) => `| ${[name, ...cells].join(' | ')} |`;
  const entries = NEUTRAL_ENTRIES.map((entry) => {
    const cells = COLUMNS.map((column) => (NOT_RUN.includes(entry) && column !== 'Node 20' ? 'no ³' : 'yes'));
    return row(`\`${entry}\``, cells);
  });
  const programs = Object.entries(PROGRAMS).map(([name, notRun]) => {
    return row(
      name,
      COLUMNS.map((column) => (column in notRun ? `no ${notRun[column]}` : 'yes')),
    );
  });
  return [row('', COLUMNS), `|${'---|'.repeat(COLUMNS.length + 1)}`, ...entries, ...programs].join('\n');
}

test('each entry has a use, unless the table of docs/packages.md says why not', () => {
  expect([...Object.keys(USES), ...NOT_RUN].sort()).toEqual([...NEUTRAL_ENTRIES].sort());
});

test('the table of docs/packages.md is what is run', () => {
  expect(readFileSync(path('../../docs/packages.md'), 'utf8')).toContain(tableOfPlatforms());
});
