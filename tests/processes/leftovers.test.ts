/** Tests of the check that a test file leaves nothing open or changed for the next file (`vitest.leftovers.ts`). */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

const VITEST = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url));
const CONFIG = fileURLToPath(new URL('../../vitest.shared.ts', import.meta.url));

/** Runs test files as those of a package run. Returns what vitest prints. */
function runFiles(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), 'leftovers-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  mkdirSync(join(root, 'src'));
  for (const [name, body] of Object.entries(files)) {
    writeFileSync(join(root, 'src', `${name}.test.ts`), `test('passes', async () => { ${body} });`);
  }
  const args = [VITEST, 'run', '--root', root, '--config', CONFIG, '--globals', '--no-color'];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  return stdout + stderr;
}

const server = `const server = (await import('node:net')).createServer().listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));`;
const child = `const child = (await import('node:child_process')).spawn(process.execPath, ['-e', 'process.stdin.resume()']);`;

test('a file fails that leaves an interval, a server, a process or a variable; a file that ends them passes', () => {
  const said = runFiles({
    interval: `setInterval(() => {}, 60_000).unref();`,
    open: `${server} ${child}`,
    variable: `process.env.LEFT = 'over';`,
    ended: `clearInterval(setInterval(() => {}, 60_000)); ${server} server.close(); ${child} child.kill();`,
  });
  const failed = [...said.matchAll(/^ FAIL .*src\/(\w+)\.test\.ts \[/gm)].map(([, name]) => name);
  expect(new Set(failed), said).toEqual(new Set(['interval', 'open', 'variable']));
  expect(said).toMatch(/an interval, begun at .*interval\.test\.ts/);
  for (const left of ['TCPServerWrap', 'ProcessWrap', 'the variable LEFT']) expect(said).toContain(left);
});
