/** Tests of the addresses for operators (`/healthz`, `/readyz` and `/metrics`), and of what an observer receives. */
import { expect, test, vi } from 'vitest';
import { startIngress, TOKENS, user } from './ingress.test-support.ts';
import { type EventLog, EventLogError } from './log/event-log.ts';
import { createMemoryEventLog } from './log/memory-event-log.ts';
import type { AnsweredRequest, IngressFigures, ObservedAppend } from './observe/observer.ts';

const COLLECTOR = 'collector-token-0123456789';

/** A log whose documents are written by `write`. */
function logWith(write: EventLog['writeDocument']): EventLog {
  return { ...createMemoryEventLog(), writeDocument: write };
}

const failing = (code: 'failed' | 'full') => async () => Promise.reject(new EventLogError(code, 'no'));

test('a server is ready while its store takes a write, and alive in any case until it shuts down', async () => {
  const { call, ingress } = await startIngress();
  expect(await call('/readyz', { method: 'GET' })).toMatchObject({ status: 200, body: { status: 'ready' } });
  await ingress.drain();
  expect(await call('/readyz', { method: 'GET' })).toMatchObject({ status: 503, body: { status: 'draining' } });
  expect(await call('/healthz', { method: 'GET' })).toMatchObject({ status: 503, body: { status: 'draining' } });
});

test.each([
  ['failed', 'storage_failed'],
  ['full', 'storage_full'],
] as const)('a server whose store rejects as %s is not ready: %s', async (code, status) => {
  const { call } = await startIngress({ log: logWith(failing(code)) });
  expect(await call('/readyz', { method: 'GET' })).toMatchObject({ status: 503, body: { status } });
  expect((await call('/healthz', { method: 'GET' })).status).toBe(200);
});

test('a store that hangs makes the server unready, gets no second write in the meantime, and is asked again when it has answered', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  try {
    let settle = () => {};
    const write = vi.fn(() => new Promise<void>((resolve) => (settle = resolve)));
    const { call } = await startIngress({ log: logWith(write) });
    const ask = async () => {
      const asked = call('/readyz', { method: 'GET' });
      await vi.advanceTimersByTimeAsync(2000);
      return (await asked).body['status'];
    };
    expect(await ask()).toBe('storage_slow');
    expect(await ask()).toBe('storage_slow');
    expect(write).toHaveBeenCalledTimes(1);
    settle();
    await vi.advanceTimersByTimeAsync(0);
    expect(await ask()).toBe('ready');
    const again = ask();
    settle();
    expect(await again).toBe('ready');
    expect(write).toHaveBeenCalledTimes(2);
  } finally {
    vi.useRealTimers();
  }
});

test('many requests at once are answered by one write to the store', async () => {
  const write = vi.fn(async () => {});
  const { call } = await startIngress({ log: logWith(write) });
  const answers = await Promise.all(Array.from({ length: 50 }, () => call('/readyz', { method: 'GET' })));
  expect(answers.every(({ status }) => status === 200)).toBe(true);
  expect(write).toHaveBeenCalledTimes(1);
});

test('figures are for holders of the token of the collector alone, and an account has no use for its own token there', async () => {
  const read = vi.fn(async ({ sessions }: IngressFigures) => ({ contentType: 'text/plain', text: `${sessions}` }));
  const { request, newSession } = await startIngress({ metrics: { token: COLLECTOR, read } });
  const { send } = await newSession();
  await send([user('a')]);
  const status = async (token?: string) => (await request('/metrics', { method: 'GET', token })).status;
  expect([await status(), await status(TOKENS.driver), await status(`${COLLECTOR}x`)]).toEqual([401, 401, 401]);
  expect(read).not.toHaveBeenCalled();
  const answer = await request('/metrics', { method: 'GET', token: COLLECTOR });
  expect([answer.status, await answer.text()]).toEqual([200, '1']);
  // The token of the collector is not accepted anywhere else.
  expect((await request('/v1/code/sessions', { method: 'GET', token: COLLECTOR })).status).toBe(401);
});

test('without the option the address does not exist, and a token that could be guessed is refused', async () => {
  const { request } = await startIngress();
  expect((await request('/metrics', { method: 'GET', token: TOKENS.driver })).status).toBe(404);
  const metrics = { token: 'short', read: async () => ({ contentType: '', text: '' }) };
  await expect(startIngress({ metrics })).rejects.toThrow('at least 16 characters');
});

test('an observer receives each answer with its route and the type of a refusal, and each append', async () => {
  const answers: AnsweredRequest[] = [];
  const appends: ObservedAppend[] = [];
  const observer = {
    answered: (answer: AnsweredRequest) => void answers.push(answer),
    appended: (append: ObservedAppend) => void appends.push(append),
  };
  const { call, newSession, request } = await startIngress({ observer });
  const { base, send, view } = await newSession();
  await send([user('a'), user('b')]);
  await send([user('a')]);
  await (await view()).close();
  await call(`${base}/archive?token=secret`, { token: 'a-token-of-nobody-01234' });
  await request('/nowhere', { method: 'GET' });
  await call('/healthz', { method: 'GET' });
  const observed = answers.map(({ method, route, status, error }) => [method, route, status, error]);
  expect(observed).toEqual([
    ['POST', '/v1/code/sessions', 200, undefined],
    ['POST', '/v1/code/sessions/:id/events', 200, undefined],
    ['POST', '/v1/code/sessions/:id/events', 200, undefined],
    ['GET', '/v1/code/sessions/:id/events/stream', 200, undefined],
    ['POST', '/v1/code/sessions/:id/archive', 401, 'authentication_error'],
    ['GET', 'other', 404, undefined],
  ]);
  expect(answers.every(({ ms }) => ms >= 0)).toBe(true);
  expect(JSON.stringify(answers)).not.toContain('secret');
  expect(appends.map(({ events, error }) => [events, error])).toEqual([
    [2, undefined],
    [0, undefined],
  ]);
});
