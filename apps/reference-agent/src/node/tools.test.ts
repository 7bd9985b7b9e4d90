import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { createNodeTools } from '../node.ts';
import type { ToolResult } from '../tools/tool.ts';

const cwd = realpathSync(mkdtempSync(join(tmpdir(), 'tools-')));
afterAll(() => rmSync(cwd, { recursive: true }));

const tools = createNodeTools({ cwd, maxFileBytes: 64, maxOutputBytes: 16 });
const toolOf = (name: string) => {
  const tool = tools.find((each) => each.name === name);
  if (tool === undefined) throw new Error(`no ${name}`);
  return tool;
};
const use = async (name: string, input: Record<string, unknown>, signal = new AbortController().signal) =>
  (await toolOf(name).run(input, { toolUseID: 't', signal })) as ToolResult;
const bash = (command: string, signal?: AbortSignal) => use('Bash', { command }, signal);

describe('files', () => {
  test('are written and read relative to the working directory', async () => {
    const made = await use('Write', { file_path: 'a/b.txt', content: 'one\ntwo' });
    expect(readFileSync(join(cwd, 'a/b.txt'), 'utf8')).toBe('one\ntwo');
    expect(made.output).toMatchObject({ type: 'create', filePath: join(cwd, 'a/b.txt'), originalFile: null });
    const replaced = await use('Write', { file_path: 'a/b.txt', content: 'three' });
    expect(replaced.output).toMatchObject({ type: 'update', originalFile: 'one\ntwo' });
    await use('Write', { file_path: 'a/b.txt', content: 'one\ntwo' });
    expect(await use('Read', { file_path: join(cwd, 'a/b.txt') })).toMatchObject({
      content: '1\tone\n2\ttwo',
      output: { type: 'text', file: { content: 'one\ntwo', numLines: 2, totalLines: 2 } },
    });
  });

  test('have absolute paths with links followed, also if the file is missing', async () => {
    symlinkSync('/etc', join(cwd, 'link'));
    const pathOf = (file_path: string) => toolOf('Write').pathOf?.({ file_path });
    expect(await pathOf('link/new/file')).toBe(join(realpathSync('/etc'), 'new/file'));
    expect(await pathOf('../x')).toBe(join(cwd, '..', 'x'));
    expect(await pathOf('new/file')).toBe(join(cwd, 'new/file'));
  });

  test('that are too large, or not regular files, are not read, and too much text is not written', async () => {
    writeFileSync(join(cwd, 'large'), 'x'.repeat(65));
    await expect(use('Read', { file_path: 'large' })).rejects.toThrow('has 65 bytes; the limit for reading is 64');
    await expect(use('Read', { file_path: '/dev/zero' })).rejects.toThrow('is not a file');
    spawnSync('sh', ['-c', 'mkfifo "$0"', join(cwd, 'pipe')]);
    await expect(use('Read', { file_path: 'pipe' })).rejects.toThrow('is not a file');
    await expect(use('Read', { file_path: 'missing' })).rejects.toThrow('ENOENT');
    await expect(use('Write', { file_path: 'w', content: 'x'.repeat(65) })).rejects.toThrow(
      'the limit for writing is 64',
    );
    expect(existsSync(join(cwd, 'w'))).toBe(false);
    await expect(use('Read', { file_path: 7 })).rejects.toThrow('file_path must be a string');
  });
});

describe('a command', () => {
  test('returns the output of both of its streams', async () => {
    expect(await bash('pwd > where; echo out; echo err >&2')).toMatchObject({
      content: 'out\nerr',
      output: { stdout: 'out\nerr', interrupted: false },
    });
    expect(readFileSync(join(cwd, 'where'), 'utf8')).toBe(`${cwd}\n`);
    expect(await bash('true')).toMatchObject({ content: '(The command gave no output.)' });
  });

  test('gets the environment of the agent, without its tokens', async () => {
    for (const name of ['SJP_TOKEN', 'CLAUDE_CODE_SESSION_ACCESS_TOKEN', 'OTHER']) vi.stubEnv(name, 'secret');
    const said = await bash('echo ${SJP_TOKEN-1}${CLAUDE_CODE_SESSION_ACCESS_TOKEN-2}$OTHER');
    vi.unstubAllEnvs();
    expect(said).toMatchObject({ content: '12secret' });
  });

  test('that fails reports its exit code and its output', async () => {
    await expect(bash('echo no; exit 3')).rejects.toThrow(/^Exit code 3\nno$/);
    await expect(bash('kill -9 $$')).rejects.toThrow('terminated by SIGKILL');
  });

  test('that says much is cut, and the rest counted', async () => {
    expect(await bash('printf "%032d" 0')).toMatchObject({ content: `${'0'.repeat(16)}\n(16 more bytes)` });
  });

  test('that takes too long is killed with its process group', async () => {
    const started = use('Bash', { command: 'sleep 60 & echo $! > child; wait', timeout: 200 });
    await expect(started).rejects.toThrow('took longer than 200 ms');
    await expectGone(Number(readFileSync(join(cwd, 'child'), 'utf8')));
  });

  test('is killed with its process group when the turn is interrupted', async () => {
    const controller = new AbortController();
    const started = bash('sleep 60 & echo $! > child2; wait', controller.signal);
    started.catch(() => {});
    await vi.waitFor(() => expect(readFileSync(join(cwd, 'child2'), 'utf8')).toMatch(/\n$/));
    controller.abort();
    await expect(started).rejects.toThrow('terminated by SIGKILL');
    await expectGone(Number(readFileSync(join(cwd, 'child2'), 'utf8')));
    await expect(bash('touch never', controller.signal)).rejects.toThrow('aborted');
    expect(existsSync(join(cwd, 'never'))).toBe(false);
  });

  test('does not outlive the process', async () => {
    const before = process.listenerCount('exit');
    const started = bash('echo $$ > child3; exec sleep 60');
    started.catch(() => {});
    await vi.waitFor(() => expect(readFileSync(join(cwd, 'child3'), 'utf8')).toMatch(/\n$/));
    const [atExit] = process.listeners('exit').slice(before);
    atExit?.(0);
    await expect(started).rejects.toThrow('terminated by SIGKILL');
    await expectGone(Number(readFileSync(join(cwd, 'child3'), 'utf8')));
    expect(process.listenerCount('exit')).toBe(before);
  });

  // A killed process stays a zombie until its parent reads its status.
  const expectGone = (pid: number) => vi.waitFor(() => expect(stateOf(pid)).toMatch(/^Z|^$/));
  const stateOf = (pid: number) =>
    spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).stdout.trim();
});
