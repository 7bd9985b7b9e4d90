import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { assistant } from '../run.test-support.ts';
import { readRemoteSession } from './read-remote-session.ts';

export const ID = '01234567-89ab-4def-8123-456789abcdef';

export type Answer = readonly [status: number, body: unknown];

/** Answers each path below its address, and records the requests. */
export async function serverOf(answers: Readonly<Record<string, Answer>>) {
  const asked: unknown[] = [];
  const server = createServer((request, response) => {
    const path = String(request.url).slice('/v1/code/sessions/cse_1'.length);
    asked.push([path, request.headers.authorization]);
    const [status, body] = answers[path] ?? [404, {}];
    response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const warnings: string[] = [];
  const read = (env: object = { CLAUDE_CODE_SESSION_ACCESS_TOKEN: 'token' }, maxBytes = 10_000) =>
    readRemoteSession(
      { id: 'cse_1', origin, url: `${origin}/v1/code/sessions/cse_1` },
      { env: { ...env }, warn: (text) => void warnings.push(text), maxBytes },
    );
  return { origin, asked, warnings, read };
}

/** An event: a client sends a prompt. */
export const asks = (uuid: string) => ({
  source: 'client',
  payload: { type: 'user', uuid, message: { role: 'user', content: uuid } },
});
/** An event: the turn of a prompt begins. */
export const begins = (command_uuid: string) => ({
  source: 'worker',
  payload: { type: 'command_lifecycle', command_uuid, state: 'started' },
});
/** An event: the agent sends a message. */
export const says = (uuid: string) => ({ source: 'worker', payload: { ...assistant(uuid), uuid, session_id: ID } });
