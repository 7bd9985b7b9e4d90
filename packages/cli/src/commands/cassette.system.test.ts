/** Tests of `sjp cassette`, run as a process, with `sjp-agent`, which does not call an API, and with an agent that does. */
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMessagesApi, serveOnLoopback } from '@proto/testkit';
import { parseRecording } from '@proto/recording';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AGENT, MAIN, messagesIn, prompt, run, STREAM } from '../bins.test-support.ts';

// An agent that calls the API with a key, uses a tool if its host allows it, and sends the result of the tool to the API.
const ASKING = `
import { createInterface } from 'node:readline';
const say = (message) => console.log(JSON.stringify(message));
const option = (name) => process.argv.find((arg) => arg.startsWith('--' + name + '='))?.split('=')[1];
const waiting = new Map();
const history = [];
async function answer(message) {
  history.push(message);
  const response = await fetch(process.env.ANTHROPIC_BASE_URL + '/v1/messages', {
    method: 'POST',
    headers: { 'x-api-key': process.env.ANTHROPIC_API_KEY, 'anthropic-version': '2023-06-01' },
    body: JSON.stringify({ model: 'm', max_tokens: 9, messages: history }),
  });
  const { content, error } = await response.json();
  if (error !== undefined) return say({ type: 'result', subtype: 'success', is_error: true, result: error.message });
  history.push({ role: 'assistant', content });
  const [{ type, id, name, input, text }] = content;
  if (type !== 'tool_use') return say({ type: 'result', subtype: 'success', is_error: false, result: text });
  const request_id = crypto.randomUUID();
  const answered = new Promise((resolve) => waiting.set(request_id, resolve));
  say({ type: 'control_request', request_id, request: { subtype: 'can_use_tool', tool_name: name, input, tool_use_id: id } });
  const { behavior } = await answered;
  return answer({ role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: behavior }] });
}
say({ type: 'system', subtype: 'init', claude_code_version: option('version') ?? '1' });
let turns = Promise.resolve();
for await (const line of createInterface({ input: process.stdin })) {
  const { type, message, response } = JSON.parse(line);
  if (type === 'control_response') waiting.get(response.request_id)?.(response.response);
  else if (type === 'user') turns = turns.then(() => answer({ ...message, content: message.content + (option('hint') ?? '') }));
}
await turns;
`;
const KEY = 'sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789';
let folder: string;
let asking: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cassette-'));
  asking = join(folder, 'asking.mjs');
  await writeFile(asking, ASKING);
  await recordTwoTurns();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const sjp = (args: readonly string[], agent: readonly string[], input = '', variables = {}) =>
  run(MAIN, ['cassette', ...args, '--', ...agent], input, variables);
const inFolder = (file: string) => join(folder, file);
/** The agent that calls the API, with the given version. */
const agentOf = (...args: string[]) => [process.execPath, asking, ...args];

/** Records one `sjp run` in `turns.jsonl`. The agent uses a tool, so it calls the API twice. */
async function recordTwoTurns(): Promise<void> {
  const api = createMessagesApi([
    { content: [{ type: 'tool_use', name: 'Bash', input: { command: 'rm x' } }] },
    'It is gone.',
  ]);
  await using server = await serveOnLoopback((request) => api.fetch(request));
  const recorder = [process.execPath, MAIN, 'cassette', 'record', inFolder('turns.jsonl'), '--', ...agentOf()];
  const variables = { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: KEY };
  const recorded = await run(MAIN, ['run', 'Remove x', '--permissions', 'allow', '--', ...recorder], '', variables);
  expect([recorded.code, api.requests.length]).toEqual([0, 2]);
}

/** The frame that contains the permission request. */
async function permissionFrame(): Promise<string> {
  const { entries } = parseRecording(await readFile(inFolder('turns.jsonl'), 'utf8'));
  return String(entries.findIndex((entry) => 'line' in entry && entry.line.includes('can_use_tool')) + 1);
}

test('the cassette of sjp-agent has the wire, and plays', async () => {
  const file = inFolder('own.jsonl');
  const recorded = await sjp(['record', file], [AGENT, '-p', ...STREAM], prompt('hello'));
  expect(recorded).toMatchObject({ code: 0, stderr: '' });
  const { header, entries } = parseRecording(await readFile(file, 'utf8'));
  expect(header).toMatchObject({ cassette: 1, side: 'host', redacted: true, launch: { args: ['-p', ...STREAM] } });
  expect(entries.some((entry) => 'api' in entry)).toBe(false);
  expect(entries.filter((entry) => 'line' in entry)).toHaveLength(messagesIn(recorded.stdout).length + 1);
  // The recorded arguments are passed to the agent.
  expect(await sjp(['play', file], [AGENT])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^no differences, \d+ frames\n$/),
    stderr: '',
  });
  const played = await sjp(['play', file, '--live-host'], [AGENT, '-p', ...STREAM], prompt('hello'));
  expect(played.code).toBe(0);
  const replayed = await run(MAIN, ['replay', file, '--match', 'shape'], prompt('hello'));
  expect(replayed).toMatchObject({ code: 0, stderr: '' });
});

test('the cassette of an agent that asks an API plays both sides without it, and has no key', async () => {
  const file = inFolder('turns.jsonl');
  expect(await readFile(file, 'utf8')).not.toContain(KEY);
  expect((await stat(file)).mode & 0o077).toBe(0);
  for (const _ of [1, 2, 3]) {
    const { code, stdout, stderr } = await sjp(['play', file], agentOf());
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^no differences, \d+ frames\n$/);
  }
  const explained = await run(MAIN, ['explain', file]);
  expect(explained.stdout).toContain('exchange 1 POST /v1/messages m');
  expect(await run(MAIN, ['validate', file, '--direction', 'from-host'])).toMatchObject({ code: 0 });
});

test('a denial in place of a recorded answer shows where the session diverges', async () => {
  const file = inFolder('turns.jsonl');
  const frame = await permissionFrame();
  const denied = await sjp(['play', file, '--deny', frame], agentOf());
  expect(denied.code).toBe(6);
  expect(denied.stdout).toMatch(
    /^turn 1\n~ host {2}answers success {2}changed, [^]*behavior\n +expected {2}"allow"\n +found {5}"deny"/,
  );
  expect(denied.stderr).toMatch(
    /^sjp cassette play: request 2: cassette: the tape has no answer .*Message 3 differs from the nearest request, exchange 2: recorded .*"allow".*, now .*"deny".*\n$/,
  );
  const json = await sjp(['play', file, '--deny', frame, '--json'], agentOf());
  expect(messagesIn(json.stdout).at(-1)).toMatchObject({ type: 'result', equal: false });
  expect(await sjp(['play', file, '--deny', '1'], agentOf())).toMatchObject({
    code: 2,
    stdout: '',
    stderr: `sjp cassette play: frame 1 is not a permission request: the cassette contains ${frame} Bash\n`,
  });
});

test('--stale lists the cassettes that an agent does not follow', async () => {
  const [file, own] = [inFolder('turns.jsonl'), inFolder('hello.jsonl')];
  await sjp(['record', own], agentOf(), '');
  expect(await sjp(['play', file, own, '--stale'], agentOf('--version=2'))).toEqual({
    code: 0,
    stderr: '',
    stdout: `ok     ${file}  recorded with 1, played with 2\nok     ${own}  recorded with 1, played with 2\n0 of 2 stale\n`,
  });
  const stale = await sjp(['play', file, own, '--stale'], agentOf('--version=3', '--hint=brief'));
  expect(stale).toMatchObject({ code: 6, stderr: '' });
  expect(stale.stdout).toMatch(/^stale .*with 3\n +request 1: cassette: .*\nok .*\n1 of 2 stale\n$/);
  const json = await sjp(['play', file, '--stale', '--json'], agentOf('--version=3', '--hint=brief'));
  expect(messagesIn(json.stdout)).toEqual([
    {
      type: 'cassette',
      file,
      stale: true,
      recordedWith: '1',
      playedWith: '3',
      why: [expect.stringContaining('request 1')],
    },
    { type: 'result', stale: 1, total: 1 },
  ]);
});

test('a live host gets the recorded answers, and 6 where there is none', async () => {
  const file = inFolder('hi.jsonl');
  const api = createMessagesApi(['Hello.']);
  const server = await serveOnLoopback((request) => api.fetch(request));
  const variables = { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: KEY };
  const recorded = await sjp(['record', file], agentOf(), prompt('Hi'), variables);
  await server.close();
  expect(recorded).toMatchObject({ code: 0, stdout: expect.stringContaining('"result":"Hello."') });
  expect(await sjp(['play', file, '--live-host'], agentOf(), prompt('Hi'))).toEqual(recorded);
  const other = await sjp(['play', file, '--live-host'], agentOf(), prompt('Ho'));
  expect(other.code).toBe(6);
  expect(other.stderr).toMatch(/^sjp cassette play: request 1: cassette: the tape has no answer .*differs/);
});

test('needs an agent, a cassette, and an address of the API', async () => {
  expect(await sjp(['play', inFolder('gone.jsonl')], [AGENT])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('gone.jsonl: no such file'),
  });
  await writeFile(inFolder('later.jsonl'), '{"recording":1,"cassette":2,"side":"host","redacted":true}\n');
  expect(await sjp(['play', inFolder('later.jsonl')], [AGENT])).toMatchObject({
    code: 2,
    stderr:
      'sjp cassette play: the version of this cassette is 2, but only version 1 is known: use a newer version of this program\n',
  });
  expect(await run(MAIN, ['cassette', 'record', inFolder('x.jsonl')])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('give the agent after --'),
  });
  expect(await sjp(['play', 'a', 'b'], [AGENT])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('give one cassette, or add --stale for several'),
  });
  const [record, play] = [
    await sjp(['record', inFolder('x.jsonl')], ['no-such-agent-here']),
    await sjp(['play', inFolder('turns.jsonl')], ['no-such-agent-here']),
  ];
  for (const { code, stderr } of [record, play]) {
    expect([code, stderr]).toEqual([4, expect.stringContaining('no agent "no-such-agent-here"')]);
  }
  const wrong = await sjp(['record', inFolder('x.jsonl')], [AGENT], '', { HTTPS_PROXY: 'http://u:hunter2@[bad' });
  expect(wrong).toMatchObject({
    code: 2,
    stderr: 'sjp cassette record: the proxy set in the environment variables is not a URL\n',
  });
});
