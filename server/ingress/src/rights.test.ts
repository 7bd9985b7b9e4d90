/** Tests that rights are checked before any work is done, and on the exact text that is stored. */
import { expect, test } from 'vitest';
import { answer, assistant, permission, startAsked, TOKENS, user } from './ingress.test-support.ts';

/** A request body that counts the bytes that were read. */
function watched(bytes: number) {
  const chunk = new TextEncoder().encode('x'.repeat(1024));
  const body = { read: 0 };
  const stream = new ReadableStream(
    {
      pull(controller) {
        if (body.read >= bytes) return controller.close();
        body.read += chunk.byteLength;
        controller.enqueue(chunk);
      },
    },
    { highWaterMark: 0 },
  );
  return { body, init: { method: 'POST', body: stream, duplex: 'half' } as RequestInit };
}

test('the body of a POST of a viewer is not read', async () => {
  const { session, call } = await startAsked();
  const { body, init } = watched(31 * 1024 * 1024);
  const answered = await call(`${session.base}/events`, { ...init, token: TOKENS.viewer });
  expect(answered).toMatchObject({ status: 403, body: { error: { type: 'permission_error', resource: 'role' } } });
  expect(body.read).toBe(0);
});

test('of a POST of an approver, at most 1 MiB more than the length of the longest open request is read', async () => {
  let time = 1_000_000_000_000;
  const { session, call, say } = await startAsked({ now: () => time });
  const large = { ...permission('large'), padding: 'x'.repeat(2 * 1024 * 1024) };
  const post = async () => {
    time += 60_000;
    const { body, init } = watched(31 * 1024 * 1024);
    const { status } = await call(`${session.base}/events`, { ...init, token: TOKENS.approver });
    expect(status).toBe(413);
    return Math.floor(body.read / (1024 * 1024));
  };
  expect(await post()).toBe(1);
  await say(large);
  expect(await post()).toBe(3);
  await session.send([answer('large', 'deny')]);
  expect(await post()).toBe(1);
});

test('the body of a POST of a worker without the lease is not read', async () => {
  const { session, call, token } = await startAsked();
  await session.claimLease();
  for (const path of [`${session.base}/worker/events`, `/v1/session_ingress/session/${session.id}/events`]) {
    const { body, init } = watched(1024 * 1024);
    expect((await call(path, { ...init, token })).status).toBe(409);
    expect(body.read).toBe(0);
  }
});

test('a worker that does not send its epoch is refused, since it could be an earlier process with the same token', async () => {
  const { session, call, token, epoch, log } = await startAsked();
  const events = [{ payload: assistant('stale') }];
  expect((await call(`${session.base}/worker/register`, { token, json: {} })).body).toEqual({
    worker_epoch: epoch + 1,
  });
  for (const [method, path] of [
    ['POST', '/events'],
    ['PUT', ''],
    ['POST', '/events/delivery'],
    ['POST', '/heartbeat'],
    ['POST', '/internal-events'],
  ]) {
    const json = { events, updates: [] };
    const stale = await call(`${session.base}/worker${path}`, {
      method,
      token,
      json: { ...json, worker_epoch: epoch },
    } as object);
    expect(stale.status).toBe(409);
    const without = await call(`${session.base}/worker${path}`, { method, token, json } as object);
    expect(without).toMatchObject({ status: 400, body: { error: { type: 'invalid_request_error' } } });
  }
  expect((await log.read(session.id, 0)).last).toBe(1);
});

test('a POST above the byte rate is refused with 429 and the time to wait, and accepted after that time', async () => {
  let time = 1_000_000_000_000;
  const { session, call } = await startAsked({ now: () => time, limits: { maxBytesPerSecond: 100_000 } });
  const post = (n: number) => session.send([{ ...user(String(n)), padding: 'x'.repeat(60_000) }]);
  expect((await post(1)).status).toBe(200);
  const refused = await post(2);
  expect(refused).toMatchObject({ status: 429, body: { error: { type: 'rate_limit_error' } } });
  expect(Number(refused.headers.get('retry-after'))).toBe(1);
  // A body without a length is counted as it arrives.
  const { body, init } = watched(1024 * 1024);
  expect((await call(`${session.base}/events`, { ...init, token: TOKENS.driver })).status).toBe(429);
  expect(body.read).toBeLessThan(60_000);
  time += 2000;
  expect((await post(3)).status).toBe(200);
});

test('a worker entry that is too deep or has too many values is skipped, but a client POST with such an entry is refused', async () => {
  const errors: unknown[] = [];
  const { session, call, token, epoch, log } = await startAsked({ onError: (error: unknown) => errors.push(error) });
  const deep = `{"type":"user","x":${'['.repeat(1000)}${']'.repeat(1000)}}`;
  const many = `{"type":"user","x":[${'1,'.repeat(500_000)}1]}`;
  const events = [JSON.stringify(user('a')), deep, many, JSON.stringify(user('b'))].map(
    (text) => `{"payload":${text}}`,
  );
  const body = `{"worker_epoch":${epoch},"events":[${events.join()}]}`;
  const { body: reply } = await call(`${session.base}/worker/events`, { token, body });
  expect(reply['results']).toMatchObject([
    { duplicate: false },
    { error: { type: 'too_deep' } },
    { error: { type: 'too_many_values' } },
    { duplicate: false },
  ]);
  expect(errors).toMatchObject([{ name: 'SkippedError', count: 1 }]);
  for (const each of events.slice(1, 3)) {
    expect((await call(`${session.base}/events`, { token: TOKENS.driver, body: `{"events":[${each}]}` })).status).toBe(
      400,
    );
  }
  expect((await log.read(session.id, 0)).last).toBe(3);
});
