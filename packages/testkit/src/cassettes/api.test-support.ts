import { onTestFinished } from 'vitest';
import { serveOnLoopback } from '../loopback-server.ts';
import { createMessagesApi, type MessagesScript } from '../messages-api/messages-api.ts';
import { playCassette } from './play-cassette.ts';
import { recordCassette, type RecordCassetteOptions } from './record-cassette.ts';

export const KEY = 'sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789';

export async function ask(
  url: unknown,
  messages: readonly object[],
  more: object = {},
  headers: Readonly<Record<string, string>> = { 'x-api-key': KEY },
): Promise<{ status: number; text: string }> {
  const answer = await fetch(`${String(url)}/v1/messages?beta=true`, {
    method: 'POST',
    headers: { ...headers, 'anthropic-version': '2023-06-01', 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'claude-sonnet-5-5', max_tokens: 100, stream: true, messages, ...more }),
  });
  return { status: answer.status, text: await answer.text() };
}

export const user = (text: string): object => ({
  role: 'user',
  content: [{ type: 'text', text, cache_control: { type: 'ephemeral' } }],
});

export const assistant = (text: string): object => ({ role: 'assistant', content: [{ type: 'text', text }] });

export async function startApi(script: MessagesScript) {
  const api = createMessagesApi(script);
  const server = await serveOnLoopback((request) => api.fetch(request));
  onTestFinished(() => server.close());
  return { url: server.url, requests: api.requests, close: () => server.close() };
}

export async function startTape(script: MessagesScript, options: Partial<RecordCassetteOptions> = {}) {
  const api = await startApi(script);
  const lines: string[] = [];
  const write = (line: string) => void lines.push(line);
  const tape = await recordCassette({ upstream: api.url, ...options, write });
  onTestFinished(() => tape.close());
  return { api, tape, url: String(tape.env['ANTHROPIC_BASE_URL']), text: () => lines.join('') };
}

export async function play(text: string) {
  const player = await playCassette(text);
  onTestFinished(() => player.close());
  return { player, url: String(player.env['ANTHROPIC_BASE_URL']) };
}
