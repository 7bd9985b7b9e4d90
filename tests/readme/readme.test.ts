import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const AGENT = join(ROOT, 'packages/cli/dist/agent.js');

let folder = '';
let snippets: string[] = [];

// The folder is inside this package, so that the imports of the snippets resolve.
beforeAll(async () => {
  folder = await mkdtemp(fileURLToPath(new URL('run-', import.meta.url)));
  await symlink(AGENT, join(folder, 'sjp-agent'));
  const readme = await readFile(join(ROOT, 'README.md'), 'utf8');
  snippets = Array.from(readme.matchAll(/```ts\n(.*?)```/gs), ([, code]) => code ?? '');
});
afterAll(() => rm(folder, { recursive: true }));

/** Runs a snippet as a user's program, with the bins installed. */
async function run(code: string | undefined, args: readonly string[] = [], input = '') {
  const file = join(folder, 'snippet.mjs');
  await writeFile(file, code ?? '');
  const path = [folder, dirname(process.execPath)].join(delimiter);
  const child = spawn(process.execPath, [file, ...args], { env: { PATH: path } });
  child.stdin.end(input);
  const [stdout, stderr, [exitCode]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { stdout, stderr, exitCode };
}

describe('the README', () => {
  test('shows an agent that works', async () => {
    const args = ['--output-format=stream-json', '--input-format=stream-json', '--verbose'];
    const input = '{"type":"user","message":{"role":"user","content":"hi"}}\n';
    const { stdout, stderr, exitCode } = await run(snippets[3], args, input);
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    expect(JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({
      type: 'result',
      result: 'You said: hi',
    });
  });
});

test('the page for users of the published SDK shows a host that works', async () => {
  const page = await readFile(join(ROOT, 'docs/from-the-vendor-sdk.md'), 'utf8');
  const [, code] = /```ts\n(.*?)```/s.exec(page) ?? [];
  const shown = await run(code?.replace("'claude'", "'sjp-agent'"));
  expect(shown).toEqual({ stdout: 'You said: Say hello\n', stderr: '', exitCode: 0 });
});
