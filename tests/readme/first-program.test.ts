/** The first program of the README, over each of its transports: only the line of the transport differs. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { ROOT } from './documents.ts';
import { FIRST_PROGRAM, REMOTE_TRANSPORTS, remoteProgram } from './first-program.ts';

// Inside this package, so that the imports of the program resolve.
const folder = mkdtempSync(fileURLToPath(new URL('run-', import.meta.url)));
afterAll(() => rmSync(folder, { recursive: true }));
symlinkSync(join(ROOT, 'packages/cli/dist/agent.js'), join(folder, 'sjp-agent'));

async function run(program: string): Promise<unknown> {
  const file = join(folder, 'first.mjs');
  writeFileSync(file, program);
  const PATH = [folder, dirname(process.execPath)].join(delimiter);
  const child = spawn(process.execPath, [file], { env: { PATH }, stdio: ['ignore', 'pipe', 'pipe'] });
  const [stdout, stderr, [exitCode]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { stdout, stderr, exitCode };
}

const HELLO = { stdout: 'hello\n', stderr: '', exitCode: 0 };

test('runs over stdio', async () => {
  expect(await run(FIRST_PROGRAM)).toEqual(HELLO);
});

test.each(REMOTE_TRANSPORTS)('runs with %s when the lines of the transport are exchanged', async (...transport) => {
  await using remote = await remoteProgram(transport);
  expect(await run(remote.program)).toEqual(HELLO);
});
