/** Follows docs/web-client.md: writes its files, runs its commands, and uses the page in a real browser. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { blocksOf, ROOT } from '../readme/documents.ts';
import { isSkipped, openPage } from './chromium.ts';

// Inside this package, so that the imports of the files resolve.
const folder = mkdtempSync(fileURLToPath(new URL('run-', import.meta.url)));
const blocks = blocksOf(readFileSync(join(ROOT, 'docs/web-client.md'), 'utf8'));
const commands = blocks.filter(({ language }) => language === 'console').flatMap(({ code }) => code.split('\n'));
const esbuild = dirname(createRequire(import.meta.url).resolve('esbuild/package.json'));
let server: ChildProcess | undefined;

beforeAll(() => {
  for (const { code } of blocks) {
    const [, name] = /^(?:\/\/|<!--) ([\w-]+\.(?:mjs|jsx|html))/.exec(code) ?? [];
    if (name !== undefined) writeFileSync(join(folder, name), code);
  }
  writeFileSync(
    join(folder, 'sjp-agent'),
    `#!/bin/sh\nexec "${process.execPath}" "${join(ROOT, 'packages/cli/dist/agent.js')}" "$@"\n`,
    { mode: 0o755 },
  );
});
afterAll(async () => {
  if (server !== undefined && server.exitCode === null) {
    server.kill();
    await once(server, 'exit');
  }
  rmSync(folder, { recursive: true, force: true });
});

test.skipIf(isSkipped)(
  'the files and commands of the page make a client that works',
  { timeout: 120_000 },
  async () => {
    const PATH = [folder, join(esbuild, 'bin'), process.env['PATH']].join(delimiter);
    const env = { ...process.env, PATH, PORT: '0', SJP_HOME: join(folder, 'home') };
    const bundling = commands.find((line) => line.startsWith('$ npx esbuild '))?.slice('$ npx '.length) ?? '';
    const bundled = spawnSync(bundling, { cwd: folder, env, shell: true, encoding: 'utf8' });
    expect(bundled.status, bundled.stderr).toBe(0);
    expect(commands).toContain('$ node server.mjs');
    server = spawn(process.execPath, ['server.mjs'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
    const [url] = (await once(createInterface({ input: server.stdout as NodeJS.ReadableStream }), 'line')) as [string];
    await using page = await openPage(url);
    const until = (expression: string) =>
      vi.waitFor(async () => expect(await page.evaluate(`!!(${expression})`), expression).toBe(true), {
        timeout: 20_000,
        interval: 50,
      });
    const sees = (text: string) => until(`document.body.innerText.includes(${JSON.stringify(text)})`);
    await sees('idle, up');
    await page.evaluate(`document.querySelector('input').focus()`);
    await page.send('Input.insertText', { text: '/bash echo followed' });
    await until(`(document.querySelector('form button').click(), true)`);
    await sees('May the agent use Bash?');
    await until(`(document.querySelector('p button').click(), true)`);
    await sees('Bash: done');
    await sees('followed');
    await sees('idle, up');
  },
);
