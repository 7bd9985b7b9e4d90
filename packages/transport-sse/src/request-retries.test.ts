import { TransportError } from '@proto/core/transport';
import { expect, test, vi } from 'vitest';
import { FakeClock } from './fake-clock.test-support.ts';
import type { HttpResponse } from './http.ts';
import { RequestRetries, type RetriedRequest } from './request-retries.ts';
import { RequestFailed } from './requests.ts';
import { meaningOfPost } from './response-status.ts';

const RESPONSE: HttpResponse = { status: 200, headers: { get: () => null }, body: null };
const ANSWER = [new Uint8Array([1, 2, 3])];
const lost = () => new RequestFailed(new TransportError('connect-failed', 'no connection'), 'retry');
const busy = (retryAfterMs = 0) =>
  new RequestFailed(new TransportError('connect-failed', 'busy', { status: 503 }), 'retry', retryAfterMs);

/** Requests that fail in turn with the given errors, and then succeed. */
function setUp(...failures: unknown[]) {
  const clock = new FakeClock();
  const start = clock.now();
  const controller = new AbortController();
  const attempts: { readonly at: number; readonly timeoutMs: number }[] = [];
  const onPermanent = vi.fn<(error: TransportError) => void>();
  const finish = vi.fn<() => Promise<readonly Uint8Array[]>>(() => Promise.resolve(ANSWER));
  const retries = new RequestRetries({
    requests: {
      open: async ({ timeoutMs }) => {
        attempts.push({ at: clock.now() - start, timeoutMs });
        if (failures.length > 0) throw failures.shift();
        return RESPONSE;
      },
      finish,
    },
    clock,
    jitter: 0,
    signal: controller.signal,
    onPermanent,
  });
  const send = (more: Partial<RetriedRequest> = {}) =>
    retries.send({ method: 'POST', path: '/x', headers: {}, timeoutMs: 10_000, meaningOf: meaningOfPost, ...more });
  const times = () => attempts.map(({ at }) => at);
  return { clock, start, controller, attempts, times, onPermanent, finish, retries, send };
}

test('a lost connection is retried at once, and then with growing delays', async () => {
  const { clock, send, times } = setUp(lost(), lost(), busy(), lost());
  const done = send();
  await clock.pass(60_000);
  expect(await done).toBeUndefined();
  expect(times()).toEqual([0, 0, 500, 1500, 3500]);
  expect(clock.waiting).toBe(0);
});

test('a server that answers with an error is never retried at once', async () => {
  const { clock, send, times } = setUp(busy(), lost(), busy());
  const done = send();
  await clock.pass(60_000);
  expect(await done).toBeUndefined();
  expect(times()).toEqual([0, 500, 1500, 3500]);
});

test('a refusal is returned, a permanent failure rejects and ends the transport, and other errors are rethrown', async () => {
  const error = new TransportError('rejected', 'no', { status: 400 });
  const refused = setUp(new RequestFailed(error, 'refused'));
  expect(await refused.send()).toBe(error);
  expect(refused.onPermanent).not.toHaveBeenCalled();
  const permanent = setUp(new RequestFailed(error, 'permanent'));
  await expect(permanent.send()).rejects.toBe(error);
  expect(permanent.onPermanent.mock.calls).toEqual([[error]]);
  const mistake = new Error('mistake');
  await expect(setUp(mistake).send()).rejects.toBe(mistake);
});

test('a caller without further attempts receives the failure', async () => {
  const failure = busy();
  const { send, times } = setUp(failure);
  expect(await send({ again: (given) => given !== failure })).toBe(failure.error);
  expect(times()).toEqual([0]);
  const other = setUp(lost(), lost());
  const done = other.send({ again: () => true });
  await other.clock.pass(1000);
  expect(await done).toBeUndefined();
});

test('within a time budget, the last attempt runs before its end, and no attempt takes longer than the rest', async () => {
  const { clock, start, send, attempts } = setUp(...Array.from({ length: 9 }, () => busy()));
  const done = send({ opening: { connectDeadlineMs: 5000, since: start - 1000 } });
  await clock.pass(60_000);
  expect(await done).toMatchObject({ code: 'connect-failed', status: 503 });
  expect(attempts).toEqual([
    { at: 0, timeoutMs: 4000 },
    { at: 500, timeoutMs: 3500 },
    { at: 1500, timeoutMs: 2500 },
    { at: 3500, timeoutMs: 1000 },
  ]);
});

test('wake ends a pause, unless the server has requested the pause', async () => {
  const { clock, send, retries, times } = setUp(busy(), busy(2000));
  const done = send();
  await clock.pass(100);
  retries.wake();
  await clock.pass(100);
  expect(times()).toEqual([0, 100]);
  retries.wake();
  await clock.pass(60_000);
  expect(await done).toBeUndefined();
  expect(times()).toEqual([0, 100, 2100]);
  expect(clock.waiting).toBe(0);
});

test('an abort ends a pause with its reason', async () => {
  const { clock, controller, send } = setUp(busy());
  const done = send();
  await clock.pass(100);
  const reason = new Error('closed');
  controller.abort(reason);
  await expect(done).rejects.toBe(reason);
  expect(clock.waiting).toBe(0);
});

test('the answer goes to onAnswer if that is given, and otherwise its useful body to onTaken', async () => {
  const { send, finish } = setUp();
  const onTaken = vi.fn<(answer: readonly Uint8Array[]) => void>();
  await send({ onTaken });
  expect(onTaken.mock.calls).toEqual([[ANSWER]]);
  const onAnswer = vi.fn<(response: HttpResponse) => Promise<void>>(() => Promise.resolve());
  await send({ onAnswer, onTaken });
  expect(onAnswer.mock.calls[0]?.[0]).toBe(RESPONSE);
  expect([finish.mock.calls.length, onTaken.mock.calls.length]).toEqual([1, 1]);
});
