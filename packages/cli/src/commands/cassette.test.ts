/** Tests of `sjp cassette` as a process, with `sjp-agent`, which asks no API, and with an agent that does. */
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMessagesApi, serveOnLoopback } from '@proto/testkit';
import { parseRecording } from '@proto/recording';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AGENT, MAIN, messagesIn, prompt, run, STREAM } from '../bins.test-support.ts';

// An agent that asks the API once for each prompt, with a key.
const ASKING = `
import { createInterface } from 'node:readline';
for await (const line of createInterface({ input: process.stdin })) {
  const { message } = JSON.parse(line);
  const answer = await fetch(process.env.ANTHROPIC_BASE_URL + '/v1/messages', {
    method: 'POST',
    headers: { 'x-api-key': process.env.ANTHROPIC_API_KEY, 'anthropic-version': '2023-06-01' },
    body: JSON.stringify({ model: 'm', max_tokens: 9, messages: [message] }),
  });
  const { content, error } = await answer.json();
  const is_error = error !== undefined;
  console.log(JSON.stringify({ type: 'result', subtype: 'success', is_error, result: error?.message ?? content[0].text }));
}
`;
let folder: string;
let asking: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cassette-'));
  asking = join(folder, 'asking.mjs');
  await writeFile(asking, ASKING);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const cassette = (name: string, file: string, agent: readonly string[], input: string, variables = {}) =>
  run(MAIN, ['cassette', name, join(folder, file), '--', ...agent], input, variables);

test('the cassette of sjp-agent has the wire, and plays', async () => {
  const recorded = await cassette('record', 'own.jsonl', [AGENT, '-p', ...STREAM], prompt('hello'));
  expect(recorded).toMatchObject({ code: 0, stderr: '' });
  const { header, entries } = parseRecording(await readFile(join(folder, 'own.jsonl'), 'utf8'));
  expect(header).toMatchObject({ cassette: 1, side: 'host', redacted: true });
  expect(entries.some((entry) => 'api' in entry)).toBe(false);
  expect(entries.filter((entry) => 'line' in entry)).toHaveLength(messagesIn(recorded.stdout).length + 1);
  const played = await cassette('play', 'own.jsonl', [AGENT, '-p', ...STREAM], prompt('hello'));
  expect(played.code).toBe(0);
  const replayed = await run(MAIN, ['replay', join(folder, 'own.jsonl'), '--match', 'shape'], prompt('hello'));
  expect(replayed).toMatchObject({ code: 0, stderr: '' });
});

test('the cassette of an agent that asks an API plays without it, and has no key', async () => {
  const api = createMessagesApi(['Hello.']);
  const server = await serveOnLoopback((request) => api.fetch(request));
  const key = 'sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789';
  const agent = [process.execPath, asking];
  const variables = { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: key };
  const recorded = await cassette('record', 'api.jsonl', agent, prompt('Hi'), variables);
  await server.close();
  expect(recorded).toMatchObject({ code: 0, stdout: expect.stringContaining('"result":"Hello."') });
  const file = join(folder, 'api.jsonl');
  expect(await readFile(file, 'utf8')).not.toContain(key);
  expect((await stat(file)).mode & 0o077).toBe(0);
  expect(await cassette('play', 'api.jsonl', agent, prompt('Hi'))).toEqual(recorded);

  const other = await cassette('play', 'api.jsonl', agent, prompt('Ho'));
  expect(other.code).toBe(6);
  expect(other.stderr).toMatch(/^sjp cassette play: request 1: cassette: the tape has no answer .*differs/);
  const explained = await run(MAIN, ['explain', file]);
  expect(explained.stdout).toContain('exchange 1 POST /v1/messages m');
  expect(await run(MAIN, ['validate', file, '--direction', 'from-host'])).toMatchObject({ code: 0 });
});

test('needs an agent and a cassette', async () => {
  expect(await cassette('play', 'gone.jsonl', [AGENT], '')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('ENOENT'),
  });
  expect(await run(MAIN, ['cassette', 'record', join(folder, 'x.jsonl')])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('give the agent after --'),
  });
  const missing = await cassette('record', 'x.jsonl', ['no-such-agent-here'], '');
  expect(missing).toMatchObject({ code: 4, stderr: expect.stringContaining('no agent "no-such-agent-here"') });
});
