import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { planInstall } from '@proto/shim/install';
import { expect, test } from 'vitest';
import { MAIN, run, SHIM } from '../bins.test-support.ts';

const HOME = mkdtempSync(join(tmpdir(), "install 'shim'-"));
const BIN = join(HOME, '.local/bin');
let folders = 0;

function emptyFolder(): string {
  const folder = join(HOME, `folder-${++folders}`);
  mkdirSync(folder);
  return folder;
}

function sjp(args: readonly string[], variables: Readonly<Record<string, string>> = {}) {
  return run(MAIN, ['shim', ...args], '', { HOME, ...variables });
}

test('the executable starts the shim with its arguments, and is removed again', async () => {
  const { stdout, code } = await sjp(['install', 'my-agent']);
  const file = join(BIN, 'my-agent');
  expect([stdout, code]).toEqual([expect.stringContaining(`installed ${file}\n`), 0]);
  expect(stdout).toContain(`${BIN} is not on the PATH`);
  expect(execFileSync(file, ['--version'], { encoding: 'utf8' })).toMatch(/\(sjp-shim\)\n$/);
  // Installing a second time is allowed, because the existing file is recognized as a shim.
  expect(await sjp(['install', 'my-agent'])).toMatchObject({ stdout: expect.stringContaining('replaced'), code: 0 });
  expect(await sjp(['uninstall', 'my-agent'])).toEqual({ stdout: `removed ${file}\n`, stderr: '', code: 0 });
  expect(readdirSync(BIN)).toEqual([]);
  expect(await sjp(['uninstall', 'my-agent'])).toMatchObject({
    stderr: expect.stringContaining('does not exist'),
    code: 1,
  });
});

test('the executable knows the address and the token file, and variables win', async () => {
  const dir = emptyFolder();
  await sjp(['install', 'far', '--dir', dir, '--url', "http://127.0.0.1:9/v1?it's", '--token-file', '/dev/null']);
  const result = await run(join(dir, 'far'), ['-p', 'hello', '--output-format=json']);
  expect(result.stderr).toContain('does not contain a token');
  const other = await run(join(dir, 'far'), ['-p', 'hello', '--output-format=json'], '', {
    SJP_SHIM_URL: 'box.example',
  });
  expect(other.stderr).toContain('the address must start with');
});

test('a file that is not a shim is replaced only with --force, and never removed', async () => {
  const dir = emptyFolder();
  const target = join(dir, 'the-agent');
  writeFileSync(target, 'not a shim');
  symlinkSync(target, join(dir, 'agent'));
  const refused = { stderr: expect.stringContaining('--force'), code: 1 };
  expect(await sjp(['install', 'agent', '--dir', dir])).toMatchObject(refused);
  expect(await sjp(['install', 'the-agent', '--dir', dir])).toMatchObject(refused);
  expect(await sjp(['uninstall', 'agent', '--dir', dir])).toMatchObject({
    stderr: expect.stringContaining('was not removed'),
  });
  expect(readlinkSync(join(dir, 'agent'))).toBe(target);
  expect(await sjp(['install', 'agent', '--dir', dir, '--force'])).toMatchObject({ code: 0 });
  expect(readFileSync(join(dir, 'agent'), 'utf8')).toContain(SHIM);
  expect(readFileSync(target, 'utf8')).toBe('not a shim');
});

test('it reports which file a shell finds by that name', async () => {
  const [first, second] = [emptyFolder(), emptyFolder()];
  const PATH = `${first}:${second}:${process.env['PATH']}`;
  expect((await sjp(['install', 'one', '--dir', second], { PATH })).stdout).not.toContain('PATH');
  writeFileSync(join(first, 'two'), '');
  expect((await sjp(['install', 'two', '--dir', second], { PATH })).stdout).toContain(
    `${first}/two is found before it`,
  );
});

test.each(['../up', '', '-x', 'a b', 'a/b'])('%j is not a name', async (name) => {
  const { stdout, code } = await sjp(['install', '--dir', emptyFolder(), '--', name]);
  expect([stdout, code]).toEqual(['', 1]);
});

test('a name is required, and a prompt is still a prompt', async () => {
  expect(await sjp(['install'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("missing required argument 'name'"),
  });
  expect(await sjp(['hello'])).toMatchObject({ code: 1, stderr: expect.stringContaining('SJP_SHIM_URL is not set') });
  expect(await sjp(['help'])).toMatchObject({ code: 1, stderr: expect.stringContaining('SJP_SHIM_URL is not set') });
});

test('a folder that cannot be made is reported', async () => {
  const file = join(emptyFolder(), 'file');
  writeFileSync(file, '');
  expect(await sjp(['install', 'one', '--dir', join(file, 'bin')])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('not a directory'),
  });
});

test('on Windows it is a .cmd file, and is said to be unproven', () => {
  const { file, script, notes } = planInstall(
    'my-agent',
    { url: 'https://box.example/a%20b', tokenFile: 'token' },
    {
      platform: 'win32',
      env: { PATH: String.raw`C:\Windows;D:\tools` },
      home: String.raw`C:\Users\you`,
      cwd: String.raw`D:\work`,
      node: String.raw`C:\Program Files\nodejs\node.exe`,
      shim: String.raw`C:\100%\shim.js`,
      write() {},
    },
  );
  expect(file).toBe(String.raw`C:\Users\you\.local\bin\my-agent.cmd`);
  expect(script.split('\r\n').slice(2)).toEqual([
    'if not defined SJP_SHIM_URL set "SJP_SHIM_URL=https://box.example/a%%20b"',
    String.raw`if not defined SJP_SHIM_TOKEN_FILE set "SJP_SHIM_TOKEN_FILE=D:\work\token"`,
    String.raw`"C:\Program Files\nodejs\node.exe" "C:\100%%\shim.js" %*`,
    '',
  ]);
  expect(notes.join('\n')).toMatch(/is not on the PATH.*not been tested on Windows/s);
});
