import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { diffFiles, type DiffFilesOptions } from './diff-files.ts';

const HEADER = { recording: 1, side: 'host', redacted: false };
const host = (message: object) => ({ dir: 'from-host', line: JSON.stringify(message) });
const agent = (message: object) => ({ dir: 'from-agent', line: JSON.stringify(message) });
const prompt = (content: string) =>
  host({ type: 'user', message: { role: 'user', content }, parent_tool_use_id: null });
const reply = (...content: object[]) => agent({ type: 'assistant', message: { id: 'm', role: 'assistant', content } });
const asks = (command: string) =>
  agent({
    type: 'control_request',
    request_id: '1',
    request: { subtype: 'can_use_tool', tool_name: 'Bash', input: { command }, tool_use_id: 't' },
  });
const answers = (behavior: string) =>
  host({ type: 'control_response', response: { subtype: 'success', request_id: '1', response: { behavior } } });
const result = (text: string) => agent({ type: 'result', subtype: 'success', is_error: false, result: text });
const turn = (text: string) => [prompt(text), reply({ type: 'text', text }), result(text)];

const ALLOWED = [
  ...turn('Hello'),
  prompt('List the files'),
  reply({ type: 'tool_use', id: 't', name: 'Bash', input: { command: 'ls' } }),
  asks('ls'),
  answers('allow'),
  agent({
    type: 'user',
    message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'a' }] },
  }),
  reply({ type: 'text', text: `There is one file, a. ${'It is here. '.repeat(20)}` }),
  result('There is one file.'),
  ...turn('Bye'),
  { closed: 'local', status: 0 },
];
const DENIED = [
  ...ALLOWED.slice(0, 6),
  answers('deny'),
  reply({ type: 'text', text: `There is one file, b\u001b[31m. ${'It is here. '.repeat(20)}` }),
  result('There is one file.'),
  { link: 'down', attempt: 1 },
  ...turn('Bye').toSpliced(2, 0, reply({ type: 'text', text: 'One more' })),
  { closed: 'local', status: 1 },
];

async function fileOf(entries: readonly object[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'diff-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'session.jsonl');
  const lines = [HEADER, ...entries.map((entry, t) => ({ t, ...entry }))];
  await writeFile(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return file;
}

async function diff(a: string, b: string, options: Partial<DiffFilesOptions> = {}, stdin = '') {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const streams = { stdin: Readable.from([Buffer.from(stdin)]), stdout, stderr, env: {} };
  const outputs = Promise.all([text(stdout), text(stderr)]);
  const code = await diffFiles(a, b, { name: 'sjp diff', width: 90, ...options }, streams);
  stdout.end();
  stderr.end();
  const [shown, failures] = await outputs;
  return { code, stdout: shown, stderr: failures };
}

describe('for people', () => {
  test('each difference names its turn, its message and its members', async () => {
    const { code, stdout } = await diff(await fileOf(ALLOWED), await fileOf(DENIED));
    expect(code).toBe(6);
    expect(stdout).toMatchInlineSnapshot(`
      "turn 2
      ~ host  answers success  changed, frame 7
          response.response.behavior
            expected  "allow"
            found     "deny"
      - agent user  missing, frame 8  result "a"
      ~ agent assistant  changed, frames 9 and 8
          message.content.0.text
            expected  "There is one file, a. It is here. It is here. It is here. It is here. It…
            found     "There is one file, b\\u001b[31m. It is here. It is here. It is here. It i…
      +       link/down  added, frame 10  the link is down (attempt 1)
      turn 3
      + agent assistant  added, frame 13  "One more"
      ~       closed/local  changed, frames 14 and 15
          status
            expected  0
            found     1
      3 changed, 1 missing, 2 added in turns 2 and 3, 14 and 15 frames
      "
    `);
  });

  test('recordings without a difference are reported as equal', async () => {
    const file = await fileOf(ALLOWED);
    expect(await diff(file, await fileOf(ALLOWED))).toEqual({
      code: 0,
      stdout: 'no differences, 14 frames\n',
      stderr: '',
    });
  });

  test('no line takes more columns than there are, and no control character reaches the terminal', async () => {
    const { stdout } = await diff(await fileOf(ALLOWED), await fileOf(DENIED), { width: 60 });
    const lines = stdout.trimEnd().split('\n').slice(0, -1);
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(60);
    expect(stdout.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  });

  test('colours are used when they are asked for', async () => {
    const { stdout } = await diff(await fileOf(ALLOWED), await fileOf(DENIED), { color: 'always' });
    expect(stdout).toContain('\u001b[31m- agent');
  });
});

describe('for programs', () => {
  test('each difference is one object, and the last line is the result', async () => {
    const { code, stdout } = await diff(await fileOf(ALLOWED), await fileOf(DENIED), { json: true });
    expect(code).toBe(6);
    const objects = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(objects[0]).toEqual({
      type: 'difference',
      kind: 'changed',
      turn: 2,
      dir: 'from-host',
      name: 'control_response/success',
      expected: { frame: 7, text: 'allow' },
      found: { frame: 7, text: 'deny' },
      members: [{ path: 'response.response.behavior', expected: 'allow', found: 'deny' }],
    });
    expect(objects.at(-1)).toEqual({
      type: 'result',
      expectedFrames: 14,
      foundFrames: 15,
      changed: 3,
      missing: 1,
      added: 2,
      equal: false,
    });
  });

  test('a long value is cut, and so is a long list of members', async () => {
    const many = (value: string) => [
      agent({ type: 'moon', ...Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`m${at}`, value])) }),
    ];
    const { stdout } = await diff(await fileOf(many('a'.repeat(5000))), await fileOf(many('b')), { json: true });
    const [first] = stdout.split('\n');
    expect(JSON.parse(first ?? '')).toMatchObject({ moreMembers: 10 });
    expect(first?.length).toBeLessThan(50_000);
  });
});

describe('a file', () => {
  test('may be stdin', async () => {
    const lines = ALLOWED.flatMap((entry) => ('line' in entry ? [`${entry.line}\n`] : [])).join('');
    expect(await diff('-', await fileOf(ALLOWED.slice(0, -1)), {}, lines)).toMatchObject({ code: 0 });
  });

  test('that is missing ends with 2', async () => {
    expect(await diff('/nowhere/at/all', '-')).toMatchObject({
      code: 2,
      stdout: '',
      stderr: 'sjp diff: cannot read /nowhere/at/all: no such file or directory\n',
    });
  });
});
