import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemoryPair, encodeBatch } from '@proto/core/transport';
import { parseRecording, type RecordingEntry } from '@proto/recording';
import { describe, expect, onTestFinished, test } from 'vitest';
import { serveOnLoopback } from '../loopback-server.ts';
import { createMessagesApi, type MessagesScript } from '../messages-api/messages-api.ts';
import { playCassette } from './play-cassette.ts';
import { recordCassette } from './record-cassette.ts';
import { CassetteError, withCassette } from './with-cassette.ts';

const KEY = 'sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789';

/** Asks the API for an answer to a conversation, as an agent does. */
async function ask(
  url: string,
  messages: readonly object[],
  more: object = {},
): Promise<{ status: number; text: string }> {
  const answer = await fetch(`${url}/v1/messages?beta=true`, {
    method: 'POST',
    headers: { 'x-api-key': KEY, 'anthropic-version': '2023-06-01', 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'claude-sonnet-5-5', max_tokens: 100, stream: true, messages, ...more }),
  });
  return { status: answer.status, text: await answer.text() };
}

const user = (text: string) => ({
  role: 'user',
  content: [{ type: 'text', text, cache_control: { type: 'ephemeral' } }],
});
const assistant = (text: string) => ({ role: 'assistant', content: [{ type: 'text', text }] });

/** Starts a Messages API, and a tape before it. */
async function startTape(script: MessagesScript) {
  const api = createMessagesApi(script);
  const server = await serveOnLoopback((request) => api.fetch(request));
  const lines: string[] = [];
  const tape = await recordCassette({ upstream: server.url, write: (line) => void lines.push(line) });
  onTestFinished(async () => {
    await tape.close();
    await server.close();
  });
  return { api, tape, url: String(tape.env['ANTHROPIC_BASE_URL']), text: () => lines.join('') };
}

/** The tape as a recording whose wire has nothing. */
const withHeader = (text: string) => `{"cassette":1,"recording":1,"side":"host","redacted":true}\n${text}`;

async function play(text: string) {
  const player = await playCassette(withHeader(text));
  onTestFinished(() => player.close());
  return { player, url: String(player.env['ANTHROPIC_BASE_URL']) };
}

describe('a tape of the Messages API', () => {
  test('answers as the API did, event by event, without the API', async () => {
    const { tape, url, text, api } = await startTape([
      'One, two.',
      { content: [{ type: 'tool_use', name: 'Bash', input: { command: 'ls' } }] },
    ]);
    const first = await ask(url, [user('Count')]);
    const second = await ask(url, [user('Count'), assistant('One, two.'), user('List')]);
    await tape.close();
    expect(first.text).toContain('One, two.');
    // The key of the agent reaches the API, and nothing else.
    expect(api.requests).toHaveLength(2);
    expect(text()).not.toContain(KEY);
    const { player, url: played } = await play(text());
    expect(await ask(played, [user('Count')])).toEqual(first);
    expect(await ask(played, [user('Count'), assistant('One, two.'), user('List')])).toEqual(second);
    expect([player.misses, player.unused]).toEqual([[], 0]);
  });

  test('knows a request again whatever ids, times and hints it has, and in any order', async () => {
    const { tape, url, text } = await startTape(({ body }) => `answer to ${body.messages.length}`);
    const asked = (id: string, hint: string) => [
      user(`go<system-reminder>${hint}</system-reminder>`),
      { role: 'assistant', content: [{ type: 'tool_use', id, name: 'Read', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: '2026-01-02T03:04:05Z' }] },
    ];
    const title = await ask(url, [user('title')]);
    const main = await ask(url, asked('toolu_1', 'Monday'));
    await tape.close();
    const { url: played } = await play(text());
    expect(await ask(played, asked('toolu_2', 'Tuesday'))).toEqual(main);
    expect(await ask(played, [user('title')], { system: 'another' })).toEqual(title);
  });

  test('refuses what it does not have, and says where it differs', async () => {
    const { tape, url, text } = await startTape(['Yes.']);
    await ask(url, [user('May I?')]);
    await tape.close();
    const { player, url: played } = await play(text());
    const { status, text: refused } = await ask(played, [user('May we?')]);
    expect(status).toBe(400);
    expect(refused).toContain('Message 1 differs from the nearest request');
    await ask(played, [user('May I?')]);
    await ask(played, [user('May I?')]);
    await ask(played, [user('May I?'), assistant('Yes.')]);
    expect(player.misses.map(({ number, message }) => [number, message.replaceAll(/\{.*?\}\]\}/g, '{…}')])).toEqual([
      [
        1,
        'cassette: the tape has no answer to POST /v1/messages: 1 messages for claude-sonnet-5-5. Message 1 differs from the nearest request: recorded {…}, now {…}',
      ],
      [3, 'cassette: POST /v1/messages was recorded, and comes once more often now'],
      [
        4,
        'cassette: the tape has no answer to POST /v1/messages: 2 messages for claude-sonnet-5-5. Message 2 differs from the nearest request: recorded nothing, now {…}',
      ],
    ]);
  });

  test('repeats what only looks something up', async () => {
    const { tape, url, text } = await startTape(['quota']);
    const probe = await ask(url, [user('quota')], { max_tokens: 1 });
    const models = await (await fetch(`${url}/v1/models`)).text();
    await tape.close();
    const { url: played, player } = await play(text());
    for (const _ of [1, 2]) {
      expect(await ask(played, [user('quota')], { max_tokens: 1 })).toEqual(probe);
      expect(await (await fetch(`${played}/v1/models`)).text()).toBe(models);
    }
    expect((await fetch(`${played}/v1/unknown`)).status).toBe(404);
    expect(player.misses).toEqual([]);
  });

  test('keeps errors of the API with their status, and what says when to come again', async () => {
    const { tape, url, text } = await startTape([{ status: 529, headers: { 'retry-after': '7' } }]);
    const busy = await ask(url, [user('go')]);
    await tape.close();
    const { url: played } = await play(text());
    expect(await ask(played, [user('go')])).toEqual(busy);
    expect(busy.status).toBe(529);
    expect(text()).toContain('"retry-after":"7"');
  });

  test('has no secret, also none that is streamed in pieces', async () => {
    const { tape, url, text } = await startTape([{ content: [KEY.slice(0, 20), KEY.slice(20), ' is it'] }]);
    const { text: heard } = await ask(url, [user(`export TOKEN=hunter2hunter2; my key is ${KEY}`)]);
    await tape.close();
    expect(heard).toContain(KEY.slice(0, 20));
    expect(text()).not.toMatch(/abcdefghij|0123456789|hunter2/);
    const { url: played, player } = await play(text());
    await ask(played, [user(`export TOKEN=hunter2hunter2; my key is ${KEY}`)]);
    expect(player.misses).toEqual([]);
  });

  test('stores each message of a conversation once', async () => {
    const { tape, url, text } = await startTape(['a', 'b', 'c']);
    const messages = [user('one')];
    for (const word of ['a', 'b', 'c']) {
      await ask(url, messages);
      messages.push(assistant(word), user(`and ${word}?`));
    }
    await tape.close();
    expect(text().match(/"text":"one"/g)).toHaveLength(1);
  });
});

describe('withCassette', () => {
  async function fileName(): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'cassette-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    return join(folder, 'tape.jsonl');
  }

  /** A session over a wire in memory whose agent asks the API once. */
  const session =
    (prompt: string) =>
    async ({ env, wire, mode }: Parameters<Parameters<typeof withCassette>[1]>[0]) => {
      const pair = createMemoryPair();
      const host = wire(pair.host);
      await host.send(encodeBatch({ type: 'user', message: { role: 'user', content: prompt } }));
      const { text } = await ask(String(env['ANTHROPIC_BASE_URL']), [user(prompt)]);
      await host.close();
      return { mode, text };
    };

  test('records both seams once, and plays them afterwards', async () => {
    const file = await fileName();
    const api = createMessagesApi(['Hello.']);
    const server = await serveOnLoopback((request) => api.fetch(request));
    const options = { upstream: server.url, mode: 'record' } as const;
    const recorded = await withCassette(file, session('Hi'), options);
    await server.close();
    const { header, entries } = parseRecording(await readFile(file, 'utf8'));
    expect(header).toEqual({ cassette: 1, recording: 1, side: 'host', redacted: true });
    const parts = (entry: RecordingEntry) => ('line' in entry ? entry.dir : 'part' in entry ? entry.part : 'other');
    expect(new Set(entries.map(parts))).toEqual(new Set(['from-host', 'request', 'answer', 'event', 'end', 'other']));
    for (let run = 0; run < 3; run++) {
      expect(await withCassette(file, session('Hi'))).toEqual({ ...recorded, mode: 'play' });
    }
  });

  test('fails where the agent asks for something else, and where CI has no tape', async () => {
    const file = await fileName();
    const api = createMessagesApi(['Hello.']);
    const server = await serveOnLoopback((request) => api.fetch(request));
    await withCassette(file, session('Hi'), { upstream: server.url, mode: 'record' });
    await server.close();
    await expect(withCassette(file, session('Ho'))).rejects.toMatchObject({ code: 'unknown-request' });
    const before = process.env['CI'];
    process.env['CI'] = '1';
    try {
      await expect(withCassette(`${file}.gone`, session('Hi'))).rejects.toThrow(CassetteError);
    } finally {
      if (before === undefined) delete process.env['CI'];
      else process.env['CI'] = before;
    }
  });

  test('writes no file for a test that fails', async () => {
    const file = await fileName();
    await expect(withCassette(file, () => Promise.reject(new Error('no')), { mode: 'record' })).rejects.toThrow('no');
    await expect(readFile(file)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
