import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { convertFile, type ConvertOptions } from './convert-file.ts';
import { validateFile } from './validate-file.ts';

const CODEX = [
  '{"type":"thread.started","thread_id":"t1"}',
  'not JSON',
  '{"type":"item.completed","item":{"id":"i","type":"agent_message","text":"two\u2028lines"}}',
  '{"type":"turn.completed","usage":{"input_tokens":3,"cached_input_tokens":1,"output_tokens":2}}',
].join('\n');

async function run(input: string, options: Omit<ConvertOptions, 'name'>, file = '-') {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const code = await convertFile(
    file,
    { name: 'sjp convert', ...options },
    { stdin: Readable.from([Buffer.from(input)]), stdout, stderr },
  );
  stdout.end();
  stderr.end();
  return { code, stdout: await text(stdout), stderr: await text(stderr) };
}

const messages = (stdout: string) =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);

test('writes valid messages, and reports the lines that it leaves out', async () => {
  const { code, stdout, stderr } = await run(CODEX, { from: 'codex' });
  expect(messages(stdout).map(({ type, session_id }) => [type, session_id])).toEqual([
    ['system', 't1'],
    ['assistant', 't1'],
    ['result', 't1'],
  ]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: 'sjp convert: line 2 was skipped: not-json\n' });
  const sink = new PassThrough().resume();
  const streams = { stdin: Readable.from([Buffer.from(stdout)]), stdout: sink, stderr: sink };
  expect(await validateFile('-', { name: 'sjp validate', direction: 'from-agent', strict: true }, streams)).toBe(0);
});

test('reads a file, and takes the result from the exit code if the output does not contain it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'convert-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'kiro.txt');
  await writeFile(file, 'Hello.');
  const ended = async (exitCode: number) => messages((await run('', { from: 'kiro', exitCode }, file)).stdout).at(-1);
  expect(await ended(0)).toMatchObject({ subtype: 'success', result: 'Hello.' });
  expect(await ended(1)).toMatchObject({ subtype: 'error_during_execution' });
  expect(await readFile(file, 'utf8')).toBe('Hello.');
});

test('includes the source records with --raw', async () => {
  const { stdout } = await run(CODEX, { from: 'codex', raw: true });
  expect(messages(stdout).map(({ raw }) => (raw as { type?: string } | undefined)?.type)).toEqual([
    'thread.started',
    'item.completed',
    'turn.completed',
    undefined,
  ]);
});

test.each([
  ['an unknown agent', '-', 'nobody', 'unknown backend "nobody"; the known backends are claude, '],
  ['a file that does not exist', '/no/such/file', 'codex', 'cannot read /no/such/file: no such file or directory'],
])('exits with 2 for %s', async (_, file, from, why) => {
  const { code, stdout, stderr } = await run('', { from }, file);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(`sjp convert: ${why}`);
});

test('output of any form is converted while it comes', async () => {
  const stdin = new PassThrough();
  const [stdout, stderr] = [new PassThrough({ encoding: 'utf8' }), new PassThrough()];
  const done = convertFile('-', { name: 'sjp convert', from: 'text' }, { stdin, stdout, stderr });
  stdin.write('Hello, this is text.\nAnd more of it.\n');
  let written = '';
  while (!written.includes('\n')) {
    if (stdout.readableLength === 0) await new Promise((resolve) => stdout.once('readable', resolve));
    written += String(stdout.read() ?? '');
  }
  stdin.end();
  expect(await done).toBe(0);
});
