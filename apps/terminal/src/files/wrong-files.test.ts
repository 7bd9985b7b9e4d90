import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { planRun } from '../run/run-plan.ts';
import { convertFile } from './convert-file.ts';
import { diffFiles } from './diff-files.ts';
import { explainFile } from './explain-file.ts';
import { replayFile } from './replay-file.ts';
import { validateFile } from './validate-file.ts';

/** Files that are not what a command reads: its first line says what the file is and what to do. */

const MESSAGE = '{"type":"keep_alive"}';
const RESULT = {
  type: 'result',
  subtype: 'success',
  is_error: false,
  duration_ms: 3,
  duration_api_ms: 3,
  num_turns: 1,
  result: 'hi',
  stop_reason: null,
  total_cost_usd: 0,
  usage: { input_tokens: 1, output_tokens: 1 },
  modelUsage: {},
  permission_denials: [],
  uuid: '11111111-1111-4111-8111-111111111111',
  session_id: 's',
};
const ENTRY = '{"type":"user","uuid":"u","parentUuid":null,"sessionId":"s","message":{"role":"user","content":"hi"}}\n';

type Process = Parameters<typeof explainFile>[2];
type Command = (file: string, here: Process) => Promise<number>;

const common = { direction: 'auto', from: 'codex', as: 'agent', speed: Infinity, match: 'ids' } as const;
const OF_MESSAGES: Readonly<Record<string, Command>> = {
  validate: (file, here) => validateFile(file, { ...common, name: 'sjp validate' }, here),
  explain: (file, here) => explainFile(file, { ...common, name: 'sjp explain' }, here),
  diff: (file, here) => diffFiles(file, file, { name: 'sjp diff' }, here),
};
const replay: Command = (file, here) => replayFile(file, ['none'], { ...common, name: 'sjp replay' }, here);
const ALL: Readonly<Record<string, Command>> = {
  ...OF_MESSAGES,
  replay,
  convert: (file, here) => convertFile(file, { ...common, name: 'sjp convert' }, here),
  run: async (input, here) => {
    const options = {
      name: 'sjp run',
      input,
      format: 'text',
      permissions: 'ask',
      until: 'turn',
      color: 'auto',
    } as const;
    try {
      await planRun(undefined, ['x'], options, here as never);
      return 0;
    } catch (error) {
      here.stderr.write(`sjp run: ${(error as Error).message}\n`);
      return 2;
    }
  },
};

/** Runs a command on a file with a content. */
async function run(command: Command, content: string | Uint8Array, name = 'wire.jsonl') {
  const folder = await mkdtemp(join(tmpdir(), 'wrong-files-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, name);
  await writeFile(file, content);
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const code = await command(file, { stdin: Readable.from([]), stdout, stderr, env: {} });
  stdout.end();
  stderr.end();
  const said = `${await text(stdout)}${await text(stderr)}`;
  return {
    code,
    lines: said
      .replaceAll(file, name)
      .replace(/^sjp \w+: /, '')
      .trimEnd()
      .split('\n'),
  };
}

const NEITHER: readonly (readonly [what: string, content: string | Uint8Array, first: RegExp])[] = [
  [
    'UTF-16',
    Buffer.from(`\uFEFF${MESSAGE}\r\n`, 'utf16le'),
    /^wire.jsonl is UTF-16 text, as written by > in Windows PowerShell; write it as UTF-8, with iconv -f UTF-16LE /,
  ],
  ['UTF-16 without a mark', Buffer.from(`${MESSAGE}\r\n`, 'utf16le'), /^wire.jsonl is UTF-16 text/],
  [
    'gzip',
    gzipSync(MESSAGE),
    /^wire.jsonl is compressed with gzip; unpack it first, such as gunzip -c .* \| sjp \w+ -$/,
  ],
];
const NO_MESSAGES: typeof NEITHER = [
  ['empty', '', /^wire.jsonl is empty(, so it has no recording header)?; check the stderr/],
  [
    'a transcript',
    ENTRY.repeat(3),
    /^wire.jsonl is the transcript of a session, .*; continue the session with --resume/,
  ],
  ['an array', JSON.stringify([RESULT, RESULT]), /^wire.jsonl is a JSON array of messages, .*; .* jq -c '\.\[\]' /],
  ['pretty-printed JSON', JSON.stringify(RESULT, null, 2), /^wire.jsonl is pretty-printed JSON; .* jq -c \. /],
  ['a HAR file', JSON.stringify({ log: { entries: [] } }, null, 2), /^wire.jsonl is a HAR file/],
  [
    'another JSON file',
    JSON.stringify({ name: 'x' }, null, 2),
    /^wire.jsonl is a single JSON value, .*; give JSON lines/,
  ],
  [
    'JSON lines of another program',
    '{"level":30}\n{"level":40}\n',
    /^wire.jsonl contains JSON lines that are not messages/,
  ],
  ['CSV', 'a,b\n1,2\n3,4\n', /^wire.jsonl is a table, such as CSV, not JSON lines; give /],
  ['text', 'Hello.\nHow are you?\n', /^wire.jsonl is text, but not JSON lines; give /],
];

describe.each(Object.entries(ALL))('%s', (name, command) => {
  test.each(NEITHER)('says of a file that is %s what it is', async (_, content, first) => {
    const { code, lines } = await run(command, content);
    expect(lines).toEqual([expect.stringMatching(first)]);
    expect(code).toBe(name === 'validate' ? 6 : 2);
  });
});

describe.each(Object.entries({ ...OF_MESSAGES, replay }))('%s', (name, command) => {
  test.each(NO_MESSAGES)('says of a file that is %s what it is', async (_, content, first) => {
    const { code, lines } = await run(command, content);
    expect(lines).toEqual([expect.stringMatching(first)]);
    expect(code).toBe(name === 'validate' ? 6 : 2);
  });
});

test('replay says of messages that they are not a recording', async () => {
  const { code, lines } = await run(replay, `${MESSAGE}\n${MESSAGE}\n`);
  expect(lines).toEqual([
    'wire.jsonl contains messages, but is not a recording; record a session with sjp run --record or sjp bridge --tap',
  ]);
  expect(code).toBe(2);
});

test('validate writes what the file is as JSON too', async () => {
  const { lines } = await run(
    (file, here) => validateFile(file, { ...common, name: 'sjp validate', json: true }, here),
    ENTRY,
  );
  expect(lines.map((line): unknown => JSON.parse(line))).toMatchObject([
    {
      type: 'file',
      kind: 'transcript',
      message: expect.stringContaining('is the transcript'),
      hint: expect.any(String),
    },
    { type: 'result', lines: 0, ok: false },
  ]);
});

test('a single result is checked, and the first line says what it is', async () => {
  const { code, lines } = await run(OF_MESSAGES['validate'] as Command, `${JSON.stringify(RESULT)}\n`);
  expect(lines).toEqual([
    expect.stringMatching(
      /^wire.jsonl is a single result, which --output-format json writes; for all messages .* stream-json/,
    ),
    '1 lines, 1 valid, 0 invalid, 0 unknown parts',
  ]);
  expect(code).toBe(0);
});

describe('output of an older agent', () => {
  const { uuid: _, modelUsage: __, permission_denials: ___, ...result } = RESULT;
  const init = {
    type: 'system',
    subtype: 'init',
    cwd: '/w',
    session_id: 's',
    tools: [],
    mcp_servers: [],
    model: 'm',
    permissionMode: 'default',
    apiKeySource: 'none',
  };
  const reply = {
    type: 'assistant',
    message: { id: 'm', role: 'assistant', content: [{ type: 'text', text: 'hi' }] },
    parent_tool_use_id: null,
    session_id: 's',
  };
  const old = [init, reply, reply, reply, result].map((message) => `${JSON.stringify(message)}\n`).join('');

  test.each(Object.entries({ validate: OF_MESSAGES['validate'], explain: OF_MESSAGES['explain'] }))(
    '%s names it first, and each member that is missing once',
    async (_name, command) => {
      const { lines } = await run(command as Command, old);
      expect(lines[0]).toBe(
        'wire.jsonl is the output of an older agent, or of an agent that omits members; each missing member is listed once: update the agent, or add these members to its messages',
      );
      expect(lines.filter((line) => /(assistant |! )uuid: expected string/.test(line)).length).toBeLessThanOrEqual(3);
      expect(lines.filter((line) => line.includes('modelUsage: expected object in which each member is'))).toHaveLength(
        1,
      );
    },
  );

  test('has its version in the first line, also in a recording', async () => {
    const line = JSON.stringify({ ...init, claude_code_version: '1.0.88' });
    const recording = `{"recording":1,"side":"host","redacted":false}\n${JSON.stringify({ t: 0, dir: 'from-agent', line })}\n`;
    for (const content of [`${line}\n`, recording]) {
      const { code, lines } = await run(OF_MESSAGES['validate'] as Command, content);
      expect(lines[0]).toMatch(/^wire.jsonl is the output of an older agent, version 1\.0\.88; /);
      expect(code).toBe(6);
    }
  });

  test('counts what is missing', async () => {
    const { lines } = await run(OF_MESSAGES['validate'] as Command, old);
    expect(lines).toContain('line 2: assistant uuid: expected string (3 times)');
    expect(lines.at(-1)).toBe('5 lines, 0 valid, 5 invalid, 0 unknown parts');
  });
});

test('run takes a prompt without the mark before it, and says of rules in UTF-16 what they are', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'wrong-files-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const [prompt, rules] = [join(folder, 'prompt.txt'), join(folder, 'rules.json')];
  await writeFile(prompt, '\uFEFFhello');
  await writeFile(rules, Buffer.from('\uFEFF{"allow":["Read"]}', 'utf16le'));
  const options = { name: 'sjp run', format: 'text', until: 'turn', color: 'auto' } as const;
  const plan = (permissions: string) =>
    planRun(undefined, ['x'], { ...options, input: prompt, permissions }, {
      stdin: Readable.from([]),
      env: {},
    } as never);
  expect((await plan('ask')).prompt).toBe('hello');
  await expect(plan(`rules:${rules}`)).rejects.toThrow('rules.json is UTF-16 text');
  await expect(plan(`rules:${rules}.none`)).rejects.toThrow();
});

test('a session that goes on is checked while it does', async () => {
  const stdin = new PassThrough();
  const [stdout, stderr] = [new PassThrough({ encoding: 'utf8' }), new PassThrough()];
  const done = validateFile('-', { ...common, name: 'sjp validate' }, { stdin, stdout, stderr });
  stdin.write('{"type":"user"}\n');
  let said = '';
  while (!said.includes('message')) {
    if (stdout.readableLength === 0) await new Promise((resolve) => stdout.once('readable', resolve));
    said += String(stdout.read() ?? '');
  }
  expect(said).toContain('line 1: user message: expected object with role "user", content\n');
  stdin.end();
  expect(await done).toBe(6);
});
