/** Runs the programs of the README in newer versions of Node, in Bun and in Deno, which `npm run runtimes` installs. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { createHostSession } from '@proto/host';
import { spawnAgent } from '@proto/transport-stdio';
import { build, type PluginBuild } from 'esbuild';
import { afterAll, describe, expect, test } from 'vitest';
import { ROOT } from '../readme/documents.ts';
import { AGENT_PROGRAM, FIRST_PROGRAM, REMOTE_TRANSPORTS, remoteProgram } from '../readme/first-program.ts';
import { isSkipped as isPageSkipped, openPage } from './chromium.ts';
import { isSkipped, type Runtime, RUNTIMES } from './installed-runtimes.ts';
import { servePage } from './serve-page.ts';
import { runInWorkerd, WORKERD } from './workerd.ts';

const LIMIT_MS = 60_000;
// Inside this package, so that the imports of the programs resolve.
const folder = mkdtempSync(fileURLToPath(new URL('run-', import.meta.url)));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A folder with the programs that a runtime starts. The agent runs in the same version of Node, and in the Node of the tests under Bun and Deno. */
function pathOf({ name, command, isNode }: Runtime): string {
  const programs = join(folder, name);
  mkdirSync(programs, { recursive: true });
  rmSync(join(programs, 'sjp-agent'), { force: true });
  rmSync(join(programs, 'node'), { force: true });
  symlinkSync(join(ROOT, 'packages/cli/dist/agent.js'), join(programs, 'sjp-agent'));
  if (isNode) symlinkSync(command, join(programs, 'node'));
  return [programs, dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter);
}

function environmentOf(runtime: Runtime): Record<string, string> {
  const home = { HOME: folder, DENO_DIR: join(folder, 'deno'), DENO_NO_UPDATE_CHECK: '1', DO_NOT_TRACK: '1' };
  return { PATH: pathOf(runtime), ...home };
}

async function run(runtime: Runtime, program: string): Promise<unknown> {
  const file = join(folder, `${runtime.name.replace(' ', '-')}.mjs`);
  writeFileSync(file, program);
  const { command, flags } = runtime;
  const child = spawn(command, [...flags, file], { env: environmentOf(runtime), stdio: ['ignore', 'pipe', 'pipe'] });
  const [stdout, stderr, [exitCode]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { stdout, stderr, exitCode };
}

const HELLO = { stdout: 'hello\n', stderr: '', exitCode: 0 };

describe.each(RUNTIMES)('$name', (runtime) => {
  test.skipIf(isSkipped(runtime))('runs the first program over stdio', { timeout: LIMIT_MS }, async () => {
    expect(await run(runtime, FIRST_PROGRAM)).toEqual(HELLO);
  });

  test.skipIf(isSkipped(runtime)).each(REMOTE_TRANSPORTS)(
    'runs the first program with %s',
    { timeout: LIMIT_MS },
    async (...transport) => {
      await using remote = await remoteProgram(transport);
      expect(await run(runtime, remote.program)).toEqual(HELLO);
    },
  );

  test.skipIf(isSkipped(runtime))('runs the agent of the README', { timeout: LIMIT_MS }, async () => {
    const file = join(folder, `agent-${runtime.name.replace(' ', '-')}.mjs`);
    writeFileSync(file, AGENT_PROGRAM);
    const { command, flags } = runtime;
    const args = [
      ...flags,
      file,
      '--print',
      '--input-format',
      'stream-json',
      '--output-format',
      'stream-json',
      '--verbose',
    ];
    await using session = createHostSession(spawnAgent({ command, args, env: environmentOf(runtime) }));
    await session.prompt('hello').accepted;
    const results: unknown[] = [];
    for await (const message of session.untilResult())
      if (message.type === 'result') results.push(Object(message).result);
    expect(results).toEqual(['You said: hello']);
  });
});

/** Bundles a program for a platform without files, as a function that returns what the program prints. */
async function bundled(program: string, start: string): Promise<string> {
  const contents = `async function printed() {
    const lines = [];
    console.log = (line) => lines.push(line);
    await import('the-program');
    return lines;
  }
  ${start}`;
  const plugin = {
    name: 'the program',
    setup({ onResolve, onLoad }: PluginBuild) {
      onResolve({ filter: /^the-program$/ }, () => ({ path: 'the-program', namespace: 'program' }));
      onLoad({ filter: /./, namespace: 'program' }, () => ({ contents: program, resolveDir: folder }));
    },
  };
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: folder },
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    plugins: [plugin],
    write: false,
  });
  return outputFiles[0]?.text ?? '';
}

test.skipIf(isSkipped(WORKERD)).each(REMOTE_TRANSPORTS)(
  'workerd runs the first program with %s',
  { timeout: LIMIT_MS },
  async (...transport) => {
    await using remote = await remoteProgram(transport);
    const start = 'export default { fetch: async () => Response.json(await printed()) };';
    expect(await runInWorkerd(await bundled(remote.program, start), {})).toEqual(['hello']);
  },
);

test.skipIf(isPageSkipped).each(REMOTE_TRANSPORTS)(
  'a page of Chromium runs the first program with %s',
  { timeout: LIMIT_MS },
  async (...transport) => {
    let module = '';
    await using server = await servePage(() => module);
    await using remote = await remoteProgram(transport, [server.url]);
    module = await bundled(remote.program, 'globalThis.lines = printed();');
    await using page = await openPage(server.url);
    expect(await page.evaluate(server.whenSet('lines'))).toEqual(['hello']);
  },
);
