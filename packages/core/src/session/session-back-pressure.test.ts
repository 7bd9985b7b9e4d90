import { describe, expect, test, vi } from 'vitest';
import { createMemoryPair } from '../transport/memory.ts';
import { cancel, ping, playedSession, request } from './played-session.test-support.ts';
import type { RequestHandler } from './request-handlers.ts';
import { createSession } from './session.ts';
import type { SessionOptions } from './session-options.ts';

describe('an application that does not read', () => {
  test('ends its session with overflow, also for messages without text', async () => {
    const { session, receive } = playedSession({ pauseAboveBytes: 100, failAboveBytes: 1000 });
    const answer = session.request({ subtype: 'initialize' });
    receive(...Array.from({ length: 20 }, () => ({ type: '' })));
    await expect(answer).rejects.toMatchObject({ code: 'overflow' });
  });

  const big = { type: 'big', text: 'x'.repeat(100) };

  test('pauses the transport while no answer is pending, and resumes it by reading', async () => {
    const pause = vi.fn();
    const resume = vi.fn();
    const { session, receive } = playedSession({ pauseAboveBytes: 50 }, { pause, resume });
    receive(big);
    await new Promise((resolve) => setImmediate(resolve));
    receive(big);
    await vi.waitFor(() => expect(pause).toHaveBeenCalledTimes(1));
    const items = session[Symbol.asyncIterator]();
    await items.next();
    await vi.waitFor(() => expect(resume).toHaveBeenCalledTimes(1));
    await expect(items.next()).resolves.toMatchObject({ value: { message: big } });
  });

  test('does not hold up an answer: a pending request resumes the transport', async () => {
    const { session, sent, receive } = playedSession({ pauseAboveBytes: 50 });
    receive(big);
    await new Promise((resolve) => setImmediate(resolve));
    receive(big);
    const answer = session.request({ subtype: 'initialize' });
    await vi.waitFor(() => expect(sent).toHaveLength(1));
    receive({
      type: 'control_response',
      response: { subtype: 'success', request_id: sent[0]?.['request_id'], response: 'here' },
    });
    await expect(answer).resolves.toBe('here');
  });

  test('ends its session with overflow at the limit if a pending request forbids a pause', async () => {
    const { session, receive } = playedSession({ pauseAboveBytes: 50, failAboveBytes: 500 });
    const answer = session.request({ subtype: 'initialize' });
    receive(big, big, big);
    await expect(answer).rejects.toMatchObject({ code: 'overflow' });
    const items = session[Symbol.asyncIterator]();
    for (let n = 0; n < 3; n++) await expect(items.next()).resolves.toMatchObject({ value: { message: big } });
    await expect(items.next()).rejects.toMatchObject({
      code: 'overflow',
      message: expect.stringContaining('failAboveBytes'),
    });
  });
});

describe('a peer that does not read', () => {
  const stuck = { write: () => new Promise<void>(() => {}) };
  const tick = () => new Promise((resolve) => setImmediate(resolve));

  /** A medium that takes the next batch only after the peer has read the last one. */
  function slow() {
    const waiting: (() => void)[] = [];
    return {
      write: () => new Promise<void>((resolve) => waiting.push(resolve)),
      readOne: () => waiting.shift()?.(),
    };
  }

  test('is served until its answers fill the stream again, and further after it has read', async () => {
    const served: string[] = [];
    const work: RequestHandler = (_, { requestId }) => {
      served.push(String(requestId));
      return 'x'.repeat(500);
    };
    const { write, readOne } = slow();
    const pause = vi.fn();
    const options = { handlers: { work }, outbound: { highWaterMarkBytes: 2000 } };
    const { receive, session } = playedSession({ ...options, pauseAboveBytes: 2000 }, { write, pause });
    await session.emit(ping(0));
    await tick();
    for (let n = 1; n <= 100; n++) receive(request(`r${n}`, 'work'));
    await vi.waitFor(() => expect(pause).toHaveBeenCalled());
    const begun = served.length;
    expect(begun).toBeLessThan(10);
    expect(session.outbound.bytes).toBeLessThan(6000);
    await tick();
    // The session takes this request only after it has served the requests before it.
    receive(request('r101', 'work'));
    while (served.length < 101) {
      readOne();
      await tick();
    }
    expect(served).toEqual(Array.from({ length: 101 }, (_, n) => `r${n + 1}`));
  });

  test('has one request served at once, whatever the length of the outbound queue', async () => {
    const interrupt = vi.fn();
    const { receive, session } = playedSession(
      { handlers: { interrupt }, outbound: { highWaterMarkBytes: 10 } },
      stuck,
    );
    for (let n = 0; n < 100; n++) void session.emit(ping(n));
    await tick();
    for (let n = 0; n < 100; n++) void session.emit(ping(n));
    receive(request('r1', 'interrupt'));
    await tick();
    expect(interrupt).toHaveBeenCalledTimes(1);
  });

  test('may cancel requests that wait to be served', async () => {
    const work = vi.fn(() => 'x'.repeat(50));
    const { write, readOne } = slow();
    const { receive, session } = playedSession({ handlers: { work }, outbound: { highWaterMarkBytes: 10 } }, { write });
    await session.emit(ping(0));
    await tick();
    receive(...Array.from({ length: 9 }, (_, n) => request(`r${n}`, 'work')));
    await tick();
    const begun = work.mock.calls.length;
    expect(begun).toBeLessThan(9);
    receive(...Array.from({ length: 9 }, (_, n) => cancel(`r${n}`)));
    for (let n = 0; n < 9; n++) {
      await tick();
      readOne();
    }
    expect(work).toHaveBeenCalledTimes(begun);
  });

  test('ends the session with overflow when its unread output exceeds the limit', async () => {
    const { session } = playedSession({ outbound: { highWaterMarkBytes: 10, maxOutboundBytes: 1000 } }, stuck);
    const answer = session.request({ subtype: 'initialize' });
    await tick();
    for (let n = 0; n < 100; n++) void session.emit({ type: 'ping', text: 'x'.repeat(50) });
    await expect(answer).rejects.toMatchObject({ code: 'overflow' });
    await expect(session[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: 'overflow' });
    await expect(session.closed).resolves.toMatchObject({ by: 'local', error: { cause: { code: 'overflow' } } });
  });

  test('ends the session with overflow at the limit of requests if a pending request forbids a pause', async () => {
    const options = { handlers: { work: () => 'x'.repeat(50) }, outbound: { highWaterMarkBytes: 10 } };
    const { session, receive } = playedSession({ ...options, pauseAboveBytes: 500, failAboveBytes: 5000 }, stuck);
    const answer = session.request({ subtype: 'initialize' });
    await tick();
    for (let n = 0; n < 100; n++) receive(request(`r${n}`, 'work'));
    await expect(answer).rejects.toMatchObject({ code: 'overflow' });
  });
});

test('two peers that flood each other with requests both get their answers', async () => {
  const { host, agent } = createMemoryPair({ maxIncomingBytes: 1000 });
  const options: SessionOptions = { handlers: { work: () => 'x'.repeat(100) }, outbound: { highWaterMarkBytes: 500 } };
  const sessions = [host, agent].map((transport) => createSession(transport, { ...options, pauseAboveBytes: 1000 }));
  const answers = sessions.flatMap((session) =>
    Array.from({ length: 200 }, () => session.request({ subtype: 'work', text: 'x'.repeat(100) })),
  );
  expect(await Promise.all(answers)).toEqual(answers.map(() => 'x'.repeat(100)));
  await Promise.all(sessions.map((session) => session.close()));
});
