/** Runs the transport contract with the `WebSocket` and the `fetch` of each platform. Node 20 has no `WebSocket`. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { verifies } from '@proto/test-support/verifies';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect } from 'vitest';
import { isSkipped as isPageSkipped, openPage } from './chromium.ts';
import { type RelayServer, startRelayServer } from './contract/relay-server.ts';
import type { Outcome } from './contract/test-runner.ts';
import { isSkipped, RUNTIMES } from './installed-runtimes.ts';
import { runInWorkerd, WORKERD } from './workerd.ts';

const LIMIT_MS = 180_000;
/** The cases of all transports together that apply. */
const CASES = 200;
const DENO_FLAGS = ['run', '--no-prompt', '--no-remote', '--allow-env', '--allow-net=127.0.0.1'];
const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'contract-'));
let page = '';
let relay: RelayServer;

beforeAll(async () => {
  page = await bundle('window.run = runContract;');
  relay = await startRelayServer(serve);
});
afterAll(async () => {
  await relay.close();
  rmSync(folder, { recursive: true });
});

function serve({ url }: IncomingMessage, response: ServerResponse): void {
  if (url === '/')
    response.setHeader('content-type', 'text/html').end('<script type="module" src="/page.js"></script>');
  else if (url === '/page.js') response.setHeader('content-type', 'text/javascript').end(page);
  else response.writeHead(404).end();
}

/** Bundles the program with statements that start it. */
async function bundle(start: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: `import { runContract } from './program.ts';\n${start}`, resolveDir: path('contract') },
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    alias: {
      // The entry also has cassettes, which are files.
      '@proto/testkit/vitest': path('../../packages/testkit/dist/vitest/test-transport.js'),
      vitest: path('contract/test-runner.ts'),
    },
    write: false,
  });
  return outputFiles[0]?.text ?? '';
}

/** Why cases do not apply: on these platforms a socket cannot stop reading, and can neither ping nor be destroyed. */
const REASONS = [
  'a server between the two ends accepts only messages',
  'the session continues after its ends have closed',
  'the test provides no transport that stays connecting',
  'the test provides no way to cut the link',
  'the test provides no way to make the server forget the session',
  'the test provides no way to see which resources the transport holds',
  'the transport does not reconnect',
  'the transport has no back pressure',
  'the transport has no half-close',
  'the transport has no link that can become silent',
  'the transport reconnects when its link is cut',
  'the transport sends no notices',
];

function expectContract(outcomes: unknown): void {
  const all = outcomes as readonly Outcome[];
  expect(all.filter(({ failed }) => failed)).toEqual([]);
  expect([...new Set(all.flatMap(({ skipped }) => skipped ?? []))].sort()).toEqual(REASONS);
  expect(all.filter(({ skipped }) => skipped === undefined)).toHaveLength(CASES);
}

const sentence = (platform: string) => `the transports that need no Node fulfil the transport contract in ${platform}`;
const options = (skip: boolean) => ({ skip, timeout: LIMIT_MS });

verifies(
  'COST-4',
  sentence('a page of Chromium'),
  async () => {
    await using browser = await openPage(relay.url);
    const loaded = 'while (window.run === undefined) await new Promise((resolve) => setTimeout(resolve));';
    expectContract(await browser.evaluate(`(async () => { ${loaded} return window.run('${relay.url}'); })()`));
  },
  options(isPageSkipped),
);

verifies(
  'COST-4',
  sentence('workerd'),
  async () => {
    const start =
      'export default { fetch: async (request) => Response.json(await runContract(await request.json())) };';
    expectContract(await runInWorkerd(await bundle(start), relay.url));
  },
  options(isSkipped(WORKERD)),
);

for (const runtime of RUNTIMES) {
  const { name, command } = runtime;
  verifies(
    'COST-4',
    sentence(name),
    async () => {
      const file = join(folder, `${name.replace(' ', '-')}.mjs`);
      writeFileSync(file, await bundle(`console.log(JSON.stringify(await runContract('${relay.url}')));`));
      const env = { HOME: folder, DENO_DIR: folder, DENO_NO_UPDATE_CHECK: '1', DO_NOT_TRACK: '1' };
      const flags = name === 'Deno' ? DENO_FLAGS : [];
      const run = promisify(execFile)(command, [...flags, file], {
        env,
        timeout: LIMIT_MS,
        maxBuffer: 64 * 1024 * 1024,
      });
      expectContract(JSON.parse((await run).stdout));
    },
    options(isSkipped(runtime)),
  );
}
