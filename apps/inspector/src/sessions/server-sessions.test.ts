import { afterEach, expect, test, vi } from 'vitest';
import { ServerSessions } from './server-sessions.ts';

const open: ServerSessions[] = [];
afterEach(() => {
  vi.restoreAllMocks();
  for (const sessions of open.splice(0)) sessions.close();
});

/** A server in memory, which answers each request for a session when the test calls `answer`. */
function server() {
  const asked: string[] = [];
  const questions: ((response: Response) => void)[] = [];
  const sessions = new ServerSessions({
    base: 'http://server.example',
    token: async () => 'a-token',
    fetch: (url, init) => {
      asked.push(new URL(url).pathname);
      if (url.endsWith('/stream')) return streamUntil(init.signal);
      return new Promise((resolve) => questions.push(resolve));
    },
  });
  open.push(sessions);
  return { sessions, asked, answer: (status: number) => questions.shift()?.(Response.json({}, { status })) };
}

/** An event stream without events, which ends when the request is aborted. */
function streamUntil(signal: AbortSignal | null | undefined): Response {
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => signal?.addEventListener('abort', () => controller.error(signal.reason)),
  });
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
}

const untilAsked = (asked: readonly string[], count: number) => expect.poll(() => asked.length).toBe(count);

test('a session is opened when the server allows it, and stays the same for 2 s without another question', async () => {
  const { sessions, asked, answer } = server();
  const first = sessions.open('one');
  await untilAsked(asked, 1);
  answer(200);
  expect(await first).toBeDefined();
  expect(await sessions.open('one')).toBe(await first);
  await untilAsked(asked, 2);
  expect(asked).toEqual(['/v1/code/sessions/one', '/v1/code/sessions/one/events/stream']);
});

test('a session that the server refuses is not opened, and a malformed id is not requested', async () => {
  const { sessions, asked, answer } = server();
  const refused = sessions.open('secret');
  await untilAsked(asked, 1);
  answer(403);
  expect(await refused).toBeUndefined();
  expect(await sessions.open('../accounts')).toBeUndefined();
  expect(asked).toHaveLength(1);
});

test('what is open stays while the server is busy or away, and is closed when the server refuses', async () => {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  const { sessions, asked, answer } = server();
  const openAgain = async (status: number) => {
    const before = asked.length;
    now += 2001;
    const found = sessions.open('one');
    await expect.poll(() => asked.slice(before)).toContain('/v1/code/sessions/one');
    answer(status);
    return found;
  };
  const first = await openAgain(200);
  expect(first).toBeDefined();
  for (const status of [429, 500, 503]) expect(await openAgain(status), String(status)).toBe(first);
  expect(await openAgain(403)).toBeUndefined();
  expect(await openAgain(503)).toBeUndefined();
});

test('after the end no session is opened, also where the server was asked before', async () => {
  const { sessions, asked, answer } = server();
  const early = sessions.open('one');
  await untilAsked(asked, 1);
  sessions.close();
  answer(200);
  expect(await early).toBeUndefined();
  expect(await sessions.open('one')).toBeUndefined();
  // No session is followed after the end: it would never be closed, and would keep the process alive.
  expect(asked).toEqual(['/v1/code/sessions/one']);
});
