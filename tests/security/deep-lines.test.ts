/** Tests that a line which is nested too deeply costs that line alone, in each command that reads lines of a peer or a file. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, describe, expect, test } from 'vitest';
import { bin } from '../remote/served-agents.ts';

const [MAIN, AGENT] = [bin('main'), bin('agent')];
const STREAM = ['--output-format=stream-json', '--input-format=stream-json', '--verbose'];
const FOLDER = mkdtempSync(join(tmpdir(), 'deep-lines-'));
afterAll(() => rmSync(FOLDER, { recursive: true, force: true }));

/** Runs a program on the given input to its end. */
async function run(program: string, args: readonly string[], input = '', variables: Record<string, string> = {}) {
  const env = { PATH: process.env['PATH'], SJP_HOME: FOLDER, ...variables };
  const child = spawn(program, args, { cwd: FOLDER, env });
  // A program that does not read its whole input must not fail the test.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { stdout, stderr, code: code as number | null };
}

function messagesIn(stdout: string): readonly Readonly<Record<string, unknown>>[] {
  const lines = stdout.split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
}

function prompt(content: string): string {
  const message = { type: 'user', uuid: randomUUID(), message: { role: 'user', content }, parent_tool_use_id: null };
  return `${JSON.stringify(message)}\n`;
}

const LIMIT = { timeout: 60_000 };
const DEPTHS = [1001, 20_000];
const MARK = '"DEEP"';
const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
const nestedObjects = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
/** The line of a message with the text in place of the mark. */
const withDeep = (message: object, text: string) => JSON.stringify(message).replaceAll(MARK, text);

const RESULT = {
  type: 'result',
  subtype: 'success',
  is_error: false,
  result: 'kept',
  duration_ms: 1,
  duration_api_ms: 1,
  num_turns: 1,
  total_cost_usd: 0,
  session_id: 's',
  uuid: randomUUID(),
};
/** A message of each kind, with a member that is nested deep: one that the schemas know, or an unknown one. */
const MESSAGES: readonly object[] = [
  { type: 'unheard_of', more: 'DEEP' },
  { type: 'system', subtype: 'init', more: 'DEEP' },
  {
    type: 'assistant',
    message: { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'T', input: 'DEEP' }] },
  },
  { type: 'user', message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'DEEP' }] } },
  { type: 'stream_event', event: { type: 'content_block_delta', index: 0, delta: 'DEEP' } },
  { type: 'control_request', request_id: 'q', request: { subtype: 'can_use_tool', tool_name: 'T', input: 'DEEP' } },
  { type: 'control_response', response: { subtype: 'success', request_id: 'q', response: 'DEEP' } },
  { type: 'control_cancel_request', request_id: 'q', more: 'DEEP' },
  { type: 'keep_alive', more: 'DEEP' },
];

/** An agent that writes these lines, and then its result. */
function agentOf(lines: readonly string[]): readonly string[] {
  const file = join(FOLDER, `${randomUUID()}.txt`);
  writeFileSync(file, [...lines, JSON.stringify(RESULT), ''].join('\n'));
  const script = `process.stdin.once('data', () => process.stdout.write(require('node:fs').readFileSync(${JSON.stringify(file)}))).resume()`;
  return ['--', process.execPath, '-e', script, '--'];
}

function fileOf(lines: readonly string[]): string {
  const file = join(FOLDER, `${randomUUID()}.jsonl`);
  writeFileSync(file, lines.map((line) => `${line}\n`).join(''));
  return file;
}

const deepLines = (depth: number) =>
  MESSAGES.flatMap((each) => [withDeep(each, nested(depth)), withDeep(each, nestedObjects(depth))]);
const recorded = (lines: readonly string[]) => [
  '{"recording":1,"side":"host","redacted":false}',
  ...lines.map((line, at) => JSON.stringify({ t: at, dir: 'from-agent', line })),
];

describe.each(DEPTHS)('lines with %i levels', LIMIT, (depth) => {
  const lines = deepLines(depth);

  test.each([['json'], ['ndjson'], ['final']])('sjp run --format %s gives the result', async (format) => {
    const { stdout, code, stderr } = await run(MAIN, ['run', 'hi', '--format', format, ...agentOf(lines)]);
    expect({ code, stderr: stderr.slice(0, 500) }).toMatchObject({ code: 0 });
    expect(stderr).not.toContain('call stack');
    expect(format === 'final' ? stdout : messagesIn(stdout).at(-1)).toEqual(format === 'final' ? 'kept\n' : RESULT);
  });

  test('sjp explain, diff and validate read the lines around', async () => {
    const plain = JSON.stringify(RESULT);
    for (const around of [(text: readonly string[]) => [...text], recorded]) {
      const file = fileOf(around([...lines, plain]));
      const explained = await run(MAIN, ['explain', '--json', file]);
      expect(explained).toMatchObject({ code: expect.any(Number), stderr: '' });
      expect(explained.stdout).toContain('result');
      const same = await run(MAIN, ['diff', file, file]);
      expect(same).toMatchObject({ code: 0, stderr: '' });
      const other = fileOf(around([...lines, plain.replace('kept', 'other')]));
      const differs = await run(MAIN, ['diff', file, other]);
      expect(differs).toMatchObject({ code: 6, stderr: '' });
      const validated = await run(MAIN, ['validate', '--json', file]);
      expect(validated.stderr).toBe('');
      expect(messagesIn(validated.stdout).at(-1)).toMatchObject({ type: 'result', lines: lines.length + 1 });
      const converted = await run(MAIN, ['convert', '--from', 'claude', file]);
      expect(converted.stderr).not.toContain('call stack');
    }
  });

  test('a recording of the session has every line, and can be replayed', async () => {
    const file = join(FOLDER, `${randomUUID()}.jsonl`);
    const { code } = await run(MAIN, ['run', 'hi', '--format', 'final', '--record', file, ...agentOf(lines)]);
    expect(code).toBe(0);
    const text = readFileSync(file, 'utf8');
    expect(text).toContain('kept');
    expect(text.split('"line"').length).toBeGreaterThan(lines.length);
    const replayed = await run(MAIN, ['run', 'hi', '--format', 'final', '--', MAIN, 'replay', file]);
    // The messages of the session must have arrived. The other lines are not messages, and are not compared.
    expect(replayed.stdout).toBe('kept\n');
    expect(replayed.stderr).not.toContain('call stack');
  });

  test('sjp-agent serves the next prompt, and keeps its session', async () => {
    const home = join(FOLDER, randomUUID());
    const toAgent: readonly object[] = [
      { type: 'user', message: { role: 'user', content: '/echo deep' }, more: 'DEEP' },
      { type: 'user', message: { role: 'user', content: [{ type: 'text', text: 'x', more: 'DEEP' }] } },
      { type: 'control_request', request_id: 'q', request: { subtype: 'initialize', agents: 'DEEP' } },
      { type: 'control_response', response: { subtype: 'success', request_id: 'q', response: 'DEEP' } },
      { type: 'update_environment_variables', variables: 'DEEP' },
      { type: 'assistant', message: { role: 'assistant', content: 'DEEP' } },
    ];
    const deep = toAgent.map((each) => `${withDeep(each, nestedObjects(depth))}\n`).join('');
    const input = prompt('/echo one') + deep + prompt('/echo two');
    const { stdout, stderr, code } = await run(AGENT, STREAM, input, { SJP_HOME: home });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const said = JSON.stringify(messagesIn(stdout).filter(({ type }) => type === 'result'));
    expect(said).toContain('one');
    expect(said).toContain('two');
    const files = readdirSync(home, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.jsonl'));
    expect(files.map((name) => readFileSync(join(home, name), 'utf8')).join('')).toContain('/echo two');
  });
});
