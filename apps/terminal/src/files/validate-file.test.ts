import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { validateFile, type ValidateOptions } from './validate-file.ts';

const OF_TOMORROW = [
  '{"type":"keep_alive"}',
  '{"type":"moon_rise","phase":"full"}',
  '',
  '{"type":"moon_rise"}',
  '{"type":"control_request","request_id":"1","request":{"subtype":"set_permission_mode","mode":"moonlit","howl":1}}',
  '{"type":"control_request","request_id":"2","request":{"subtype":"moon_set"}}',
  '{"type":"control_response","response":{"subtype":"success","request_id":"1","response":{"mode":"plan","bright":true}}}',
];
const WRONG = ['hello', 'null', '{"type":"control_response","response":{"subtype":"success"}}'];

async function run(lines: readonly string[], options: Partial<ValidateOptions> = {}, file = '-') {
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  const stdin = Readable.from([Buffer.from(lines.map((line) => `${line}\n`).join(''))]);
  const code = await validateFile(
    file,
    { name: 'sjp validate', direction: 'auto', ...options },
    { stdin, stdout, stderr },
  );
  stdout.end();
  stderr.end();
  return { code, stdout: await text(stdout), stderr: await text(stderr) };
}

const objects = (stdout: string) =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line): unknown => JSON.parse(line));

test('unknown types, members and values are listed with their count, and leave the line valid', async () => {
  const { code, stdout } = await run(OF_TOMORROW, { json: true });
  const finding = { type: 'finding', severity: 'info', count: 1 };
  const request = 'control_request/set_permission_mode';
  expect(objects(stdout)).toEqual([
    { ...finding, line: 2, code: 'unknown_type', name: 'moon_rise', count: 2 },
    { ...finding, line: 5, code: 'unknown_value', name: request, path: 'request.mode', value: 'moonlit' },
    { ...finding, line: 5, code: 'unknown_member', name: request, path: 'request.howl' },
    { ...finding, line: 6, code: 'unknown_type', name: 'control_request/moon_set' },
    { ...finding, line: 7, code: 'unknown_member', name: 'control_response', path: 'response.response.bright' },
    { type: 'result', lines: 6, valid: 6, invalid: 0, unknownTypes: 2, unknownMembers: 2, unknownValues: 1, ok: true },
  ]);
  expect(code).toBe(0);
});

describe('sjp validate', () => {
  test('reports the error of each invalid line, and exits with 6', async () => {
    const { code, stdout } = await run([...WRONG, ...OF_TOMORROW]);
    expect(code).toBe(6);
    expect(stdout.split('\n')).toEqual([
      'line 1: the line is not JSON',
      'line 2: expected object',
      'line 3: control_response response.request_id: expected string',
      'unknown type: moon_rise (2 times, first in line 5)',
      'unknown value: control_request/set_permission_mode request.mode = moonlit (1 times, first in line 8)',
      'unknown member: control_request/set_permission_mode request.howl (1 times, first in line 8)',
      'unknown type: control_request/moon_set (1 times, first in line 9)',
      'unknown member: control_response response.response.bright (1 times, first in line 10)',
      '9 lines, 6 valid, 3 invalid, 5 unknown parts',
      '',
    ]);
  });

  test('checks an answer against its request', async () => {
    const asked =
      '{"type":"control_request","request_id":"1","request":{"subtype":"can_use_tool","tool_name":"Bash","input":{},"tool_use_id":"t"}}';
    const maybe =
      '{"type":"control_response","response":{"subtype":"success","request_id":"1","response":{"behavior":"maybe"}}}';
    expect(await run([asked, maybe])).toMatchObject({
      code: 6,
      stdout: expect.stringContaining('line 2: control_response response.response.behavior: '),
    });
  });

  test('checks lines only as those of the given direction', async () => {
    const fromAgent = ['{"type":"control_request","request_id":"1","request":{"subtype":"get_plan"}}'];
    expect((await run(fromAgent, { direction: 'from-agent' })).stdout).toContain('type: control_request/get_plan');
    expect((await run(fromAgent, { direction: 'from-host' })).stdout).toContain('0 unknown parts');
  });

  test('accepts a wrong optional member with a warning, and rejects it with strict', async () => {
    const lines = [
      '{"type":"control_request","request_id":"1","request":{"subtype":"interrupt","cancel_queued":"yes"}}',
    ];
    const lenient = await run(lines, { json: true });
    expect(lenient.code).toBe(0);
    expect(objects(lenient.stdout)[0]).toMatchObject({ code: 'dropped_member', path: 'request.cancel_queued' });
    expect((await run(lines, { strict: true })).code).toBe(6);
  });

  test('escapes control characters in names and values', async () => {
    const type = '\u001b[2J\nline 9: all is well\u202e';
    const { stdout } = await run([JSON.stringify({ type }), JSON.stringify({ type: 'user', [type]: 1 })], {
      stats: true,
    });
    const shown = String.raw`\u{1b}[2J\u{a}line 9: all is well\u{202e}`;
    expect(stdout).toContain(`unknown type: ${shown} (1 times, first in line 1)\n`);
    expect(stdout).toContain(`       1  ${shown}\n`);
    expect(stdout).not.toMatch(/[^\P{C}\n]/u);
  });

  test('counts messages with stats', async () => {
    expect((await run(OF_TOMORROW, { stats: true })).stdout).toContain('       2  moon_rise\n');
    const { stdout } = await run(OF_TOMORROW, { stats: true, json: true });
    expect(objects(stdout).at(-1)).toMatchObject({ messages: { moon_rise: 2, keep_alive: 1 } });
  });

  test('reads a file, and exits with 2 when it cannot read the file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'validate-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, 'wire.ndjson'), `${OF_TOMORROW[0]}\n`);
    expect(await run([], {}, join(folder, 'wire.ndjson'))).toMatchObject({ code: 0, stderr: '' });
    expect(await run([], {}, join(folder, 'none'))).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('no such file'),
    });
  });
});
