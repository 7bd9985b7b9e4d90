/** Runs our packages in Bun and Deno, which `npm run runtimes` installs. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundleProgram } from './bundle.ts';
import { type FarAgent, startFarAgent } from './far-agent.ts';
import { isSkipped, RUNTIMES } from './installed-runtimes.ts';

const LIMIT_MS = 60_000;
// Deno may connect to this machine only, and may not read files.
const DENO_FLAGS = ['run', '--no-prompt', '--no-remote', '--allow-net=127.0.0.1'];
const runtimes = RUNTIMES.filter(({ isNode }) => !isNode);
const folder = mkdtempSync(join(tmpdir(), 'runtimes-'));

let far: FarAgent;
beforeAll(async () => {
  far = await startFarAgent();
});
afterAll(async () => {
  await far.close();
  rmSync(folder, { recursive: true });
});

const cases = runtimes.flatMap((runtime) => (['websocket', 'sse'] as const).map((link) => ({ runtime, link })));

for (const { runtime, link } of cases) {
  const { name, command } = runtime;
  const flags = name === 'Deno' ? DENO_FLAGS : [];
  test.skipIf(isSkipped(runtime))(
    `${name} runs both sides in one program, and follows a session over ${link} across a broken link`,
    async () => {
      const task = await far.task([link]);
      const file = join(folder, `${name}-${link}.mjs`);
      const start = `run(${JSON.stringify(task)}).then((outcome) => console.log(JSON.stringify(outcome)))`;
      writeFileSync(file, await bundleProgram(start));
      const env = { HOME: folder, DENO_DIR: folder, DENO_NO_UPDATE_CHECK: '1', DO_NOT_TRACK: '1' };
      // The program exits by itself, so no handle was left open.
      const { stdout } = await promisify(execFile)(command, [...flags, file], { env, timeout: LIMIT_MS });
      expect(JSON.parse(stdout)).toEqual({ here: ['in one program'], there: ['one', 'two'] });
    },
    LIMIT_MS,
  );
}

test.skipIf(runtimes.some(isSkipped))(
  'Bun finds an agent on the PATH, and starts it',
  async () => {
    const bun = runtimes.find(({ name }) => name === 'Bun')?.command ?? '';
    const sjp = fileURLToPath(new URL('../../packages/cli/dist/main.js', import.meta.url));
    const agent = join(folder, 'my-agent');
    const target = fileURLToPath(new URL('../../packages/cli/dist/agent.js', import.meta.url));
    writeFileSync(agent, `#!/bin/sh\nexec "${process.execPath}" "${target}" "$@"\n`, { mode: 0o755 });
    const env = { HOME: folder, PATH: [folder, process.env['PATH']].join(delimiter) };
    const args = [sjp, 'run', 'hello', '--format', 'final', '--', 'my-agent'];
    const { stdout } = await promisify(execFile)(bun, args, { env, timeout: LIMIT_MS });
    expect(stdout).toBe('You said: hello\n');
  },
  LIMIT_MS,
);
