import { appendFile, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { explainFile, type ExplainOptions } from './explain-file.ts';

const HEADER = { recording: 1, side: 'host', redacted: false };
const fromHost = (t: number, message: object) => ({ t, dir: 'from-host', line: JSON.stringify(message) });
const fromAgent = (t: number, message: object) => ({ t, dir: 'from-agent', line: JSON.stringify(message) });
const user = (content: unknown) => ({ type: 'user', message: { role: 'user', content }, parent_tool_use_id: null });
const reply = (content: object) => ({
  type: 'assistant',
  message: { id: 'm', role: 'assistant', content: [content] },
  parent_tool_use_id: null,
  uuid: '11111111-1111-4111-8111-111111111111',
  session_id: 's',
});

const SESSION = [
  HEADER,
  fromHost(0, user('List the files')),
  fromAgent(12.5, reply({ type: 'tool_use', id: 't', name: 'Bash', input: { command: 'ls' } })),
  fromAgent(13, {
    type: 'control_request',
    request_id: '1',
    request: { subtype: 'can_use_tool', tool_name: 'Bash', input: { command: 'ls' }, tool_use_id: 't' },
  }),
  fromHost(2013, {
    type: 'control_response',
    response: { subtype: 'success', request_id: '1', response: { behavior: 'allow', updatedInput: { command: 'ls' } } },
  }),
  fromAgent(2100, user([{ type: 'tool_result', tool_use_id: 't', content: 'a\u001b[31m\nb' }])),
  fromAgent(2101, { type: 'moon_rise', phase: 'full' }),
  { t: 2200, link: 'down', attempt: 1 },
  { t: 2300, link: 'up', attempt: 1, resumed: false },
  fromHost(2301, { type: 'control_response', response: { subtype: 'success', request_id: '9' } }),
  fromAgent(2302, { type: 'control_request', request_id: '2', request: { subtype: 'can_use_tool', input: 3 } }),
];

/** Calls `explainFile` with a line for each value, or on a file. */
async function explain(values: readonly unknown[], options: Partial<ExplainOptions> = {}, file = '-') {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const stdin = Readable.from([Buffer.from(values.map((value) => `${JSON.stringify(value)}\n`).join(''))]);
  const code = await explainFile(
    file,
    { name: 'sjp explain', direction: 'auto', width: 110, ...options },
    { stdin, stdout, stderr, env: {} },
  );
  stdout.end();
  stderr.end();
  return { code, stdout: await text(stdout), stderr: await text(stderr) };
}

describe('for people', () => {
  test('each frame is one line that names its sender, what it says, and what it answers', async () => {
    const { code, stdout } = await explain(SESSION);
    expect(code).toBe(0);
    expect(stdout).toMatchInlineSnapshot(`
      "    1    0.000 s host   user               "List the files"  [turn 1 begins]
          2    0.013 s agent  assistant          Bash(ls)  [tool Bash begins]
          3    0.013 s agent  asks can_use_tool  Bash(ls)  [permission Bash begins]
          4    2.013 s host   answers success    allow with {"command":"ls"}
                              [answers permission Bash of frame 3, after 2.00 s]
          5    2.100 s agent  user               result "a\\u001b[31m\\nb"
                              [tool Bash of frame 2 ends: success, after 2.09 s]
          6    2.101 s agent  moon_rise          {"phase":"full"}
          7    2.200 s        link/down          the link is down (attempt 1)
          8    2.300 s        link/up            the link is up (attempt 1), not resumed: messages may be missing
          9    2.301 s host   answers success  [does not belong to an open request]
         10    2.302 s agent  asks can_use_tool  tool({})  [permission can_use_tool begins]
                              ! request.tool_name: expected string
                              ! request.input: expected object
                              ! request.tool_use_id: expected string
      open at the end: turn 1, since frame 1
      open at the end: permission can_use_tool, since frame 10
      unknown: moon_rise (once)
      10 frames, 1 invalid, 1 unmatched, the link broke once, messages may be missing at 1 place
      "
    `);
  });

  test('only the frames that pass the filter are shown, with the same numbers', async () => {
    const { stdout } = await explain(SESSION, { only: 'span:permission duration:>1s' });
    const lines = stdout.split('\n');
    expect(lines.slice(0, 1).map((line) => line.trim().split(/\s+/)[0])).toEqual(['4']);
    expect(lines.at(-2)).toMatch(/^1 of 10 frames/);
  });

  test('of a recording only the side that is asked for is shown, with what it answers', async () => {
    const { stdout } = await explain(SESSION, { direction: 'from-host' });
    expect(stdout).not.toContain(' agent ');
    expect(stdout).toContain('[answers permission Bash of frame 3, after 2.00 s]');
    expect(stdout).toMatch(/^5 of 10 frames/m);
  });

  test('no control character of a peer reaches the terminal', async () => {
    const { stdout } = await explain([HEADER, fromAgent(0, { type: 'moon\u001b]0;x\u0007', text: '\u202e\u0085' })]);
    expect(stdout.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  });

  test('a line takes no more columns than there are', async () => {
    const long = user('x'.repeat(5000));
    const { stdout } = await explain([HEADER, fromHost(0, long)], { width: 80 });
    expect(stdout.split('\n')[0]).toHaveLength(80);
    const narrow = await explain(SESSION, { width: 60 });
    const widths = narrow.stdout
      .split('\n')
      .slice(0, 14)
      .map(({ length }) => length);
    expect(Math.max(...widths)).toBeLessThanOrEqual(75);
  });

  test('colours are used when they are asked for', async () => {
    const { stdout } = await explain(SESSION, { color: 'always' });
    expect(stdout).toContain('\u001b[36m');
    expect((await explain(SESSION)).stdout).not.toContain('\u001b');
  });
});

describe('for programs', () => {
  test('each frame is one object, and the last line is the summary', async () => {
    const { stdout } = await explain(SESSION, { json: true });
    const objects = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(objects.map(({ type }) => type)).toEqual([...Array.from({ length: 10 }, () => 'frame'), 'summary']);
    expect(objects[3]).toEqual({
      type: 'frame',
      frame: 4,
      line: 5,
      t: 2013,
      dir: 'from-host',
      name: 'control_response/success',
      text: 'allow with {"command":"ls"}',
      within: 2,
      ends: [
        { span: 2, kind: 'permission', name: 'Bash', status: 'ok', outcome: 'allow', frame: 3, parent: 1, ms: 2000 },
      ],
    });
    expect(objects[8]).toMatchObject({ unmatched: true });
    expect(objects[9]).toMatchObject({ check: 'invalid', findings: [{ code: 'invalid' }, { code: 'invalid' }, {}] });
    expect(objects[10]).toMatchObject({
      shown: 10,
      frames: 10,
      invalid: 1,
      unknown: 1,
      unmatched: 1,
      linksDown: 1,
      cursors: { gaps: [7] },
      open: [{ kind: 'turn', frame: 1 }, { kind: 'permission' }],
      drift: [{ code: 'unknown_type', name: 'moon_rise' }],
    });
  });
});

describe('what cannot be read', () => {
  test('a missing file ends with 2', async () => {
    expect(await explain([], {}, '/nowhere/at/all')).toMatchObject({
      code: 2,
      stderr: 'sjp explain: cannot read /nowhere/at/all: no such file or directory\n',
    });
  });

  test('a wrong filter ends with 2, and says where it is wrong', async () => {
    expect(await explain(SESSION, { only: 'npm moon:rise' })).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('sjp explain: --only is not valid after 4 characters: unknown key moon'),
    });
  });
});

describe('a file that is still written', () => {
  test('is followed until the signal aborts, also after it was cut', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'explain-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const file = join(folder, 'session.jsonl');
    await writeFile(file, '{"type":"keep_alive"}\n');
    const stop = new AbortController();
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const ended = explainFile(
      file,
      { name: 'sjp explain', direction: 'auto', follow: true, signal: stop.signal },
      { stdin: Readable.from([]), stdout, stderr, env: {} },
    );
    const chunks = stdout[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    let seen = '';
    const shows = async (word: string) => {
      while (!seen.includes(word)) seen += String((await chunks.next()).value);
    };
    await shows('keep_alive');
    await appendFile(file, '{"type":"moon_rise"}\n');
    await shows('moon_rise');
    await truncate(file);
    await appendFile(file, '{"type":"sun"}\n');
    await shows('sun');
    stop.abort();
    expect(await ended).toBe(0);
  });
});
