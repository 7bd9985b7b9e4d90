import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { assistant } from '../run.test-support.ts';
import { prompt, sessionsPeer } from '../sessions.test-support.ts';
import { readRemoteSession } from './read-remote-session.ts';

const ID = '01234567-89ab-4def-8123-456789abcdef';

type Answer = readonly [status: number, body: unknown];

/** A server of one session, which answers by the path below it, and all that was asked of it. */
async function serverOf(answers: Readonly<Record<string, Answer>>) {
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
  const read = (env: object = { CLAUDE_CODE_SESSION_ACCESS_TOKEN: 'token' }) =>
    readRemoteSession(
      { id: 'cse_1', origin, url: `${origin}/v1/code/sessions/cse_1` },
      { env: { ...env }, warn: (text) => void warnings.push(text) },
    );
  return { origin, asked, warnings, read };
}

const asks = (uuid: string) => ({
  source: 'client',
  payload: { type: 'user', uuid, message: { role: 'user', content: uuid } },
});
const begins = (command_uuid: string) => ({
  source: 'worker',
  payload: { type: 'command_lifecycle', command_uuid, state: 'started' },
});
const says = (uuid: string) => ({ source: 'worker', payload: { ...assistant(uuid), uuid, session_id: ID } });

test('a log is read page by page, from where the page before has ended', async () => {
  const { asked, warnings, read } = await serverOf({
    '/events?limit=1000': [200, { data: [asks('p1'), begins('p1'), says('a1')], next_cursor: '3' }],
    '/events?limit=1000&after=3': [
      200,
      { data: [asks('p2'), begins('p2'), says('a2'), asks('p3')], next_cursor: null },
    ],
  });
  const { sessionId, messages } = (await read()) ?? { messages: [] };
  expect(sessionId).toBe(ID);
  expect(messages.map(({ uuid }) => uuid)).toEqual(['p1', 'a1', 'p2', 'a2']);
  expect(warnings).toEqual(['Warning: prompts that no turn has taken up stay at the remote session: 1']);
  expect(asked).toEqual([
    ['/events?limit=1000', 'Bearer token'],
    ['/events?limit=1000&after=3', 'Bearer token'],
  ]);
});

test('a log whose beginning is gone is told of', async () => {
  const data = [says('a0'), asks('p1'), begins('p1'), says('a1')];
  const { warnings, read } = await serverOf({
    '/events?limit=1000': [200, { data, next_cursor: null, missing: { from: 1, to: 7 } }],
  });
  expect((await read())?.messages.map(({ uuid }) => uuid)).toEqual(['p1', 'a1']);
  expect(warnings).toEqual([expect.stringContaining('does not have the beginning of this session any more')]);
});

test('the transcript of the workers is read page by page where the token is one of theirs', async () => {
  const row = (uuid: string, parentUuid: string | null) => ({
    payload: { ...assistant(uuid), uuid, parentUuid, sessionId: ID },
  });
  const { read } = await serverOf({
    '/events?limit=1000': [401, {}],
    '/worker/internal-events?limit=1000': [200, { data: [row('a1', null)], next_cursor: '1' }],
    '/worker/internal-events?limit=1000&cursor=1': [200, { data: [row('a2', 'a1')] }],
  });
  expect(await read()).toMatchObject({ sessionId: ID, messages: [{ uuid: 'a1' }, { uuid: 'a2' }] });
});

test('a server without accounts needs no token', async () => {
  const { asked, read } = await serverOf({ '/events?limit=1000': [200, { data: [], next_cursor: null }] });
  expect(await read({})).toEqual({ sessionId: undefined, messages: [] });
  expect(asked).toEqual([['/events?limit=1000', undefined]]);
});

test.each<[Answer, string]>([
  [[200, 'no JSON'], 'is no server of sessions'],
  [[200, []], 'is no server of sessions'],
  [[302, {}], 'cannot give the remote session cse_1 now: it answered 302'],
  [[503, { error: { message: 'accounts cannot be read' } }], 'it answered 503: accounts cannot be read'],
  [
    [403, { error: { message: 'limited to others' } }],
    'does not allow to read the remote session cse_1: limited to others',
  ],
])('an answer of %j is an error that names the server', async (answer, text) => {
  const { read } = await serverOf({ '/events?limit=1000': answer });
  await expect(read()).rejects.toThrow(text);
});

test('what a server says of the id names no file outside of the folder, and a host with a store is told all of it', async () => {
  const elsewhere = { source: 'worker', payload: { ...assistant('a1'), uuid: 'a1', session_id: '../../escaped' } };
  const { origin } = await serverOf({
    '/events?limit=1000': [200, { data: [asks('p1'), begins('p1'), elsewhere], next_cursor: null }],
  });
  const { agent, home, files } = sessionsPeer();
  const env = { SJP_HOME: home, SJP_TELEPORT_URL: origin };
  const { code, id, said, messages } = await agent(['--teleport=cse_1', '--session-mirror'], prompt('two'), { env });
  expect({ code, said }).toEqual({ code: 0, said: ['p1|a1|two'] });
  expect(id).toMatch(/^[0-9a-f-]{36}$/);
  expect(files()).toEqual([expect.stringContaining(`${id}.jsonl`)]);
  const entries = messages.flatMap(({ type, entries: told }) =>
    type === 'transcript_mirror' ? (told as object[]) : [],
  );
  expect(entries).toMatchObject([
    { uuid: 'p1', parentUuid: null },
    { uuid: 'a1' },
    { type: 'user' },
    { type: 'assistant' },
  ]);
});
