import { describe, expect, test, vi } from 'vitest';
import { cancel, ping, playedSession, request } from './played-session.test-support.ts';
import type { RequestHandler } from './request-handlers.ts';

const range = (count: number, first = 0) => Array.from({ length: count }, (_, n) => `r${first + n}`);
const refused = { subtype: 'error', error_code: 'too_many_requests' };
const idsOf = (sent: readonly object[]) =>
  sent.map((frame) => (frame as { response: { request_id: string } }).response.request_id);
const responsesOf = (sent: readonly object[]) => sent.map((frame) => (frame as { response: object }).response);

/** A handler that returns when the test releases it. */
function waiting() {
  const returns = new Map<unknown, (answer?: unknown) => void>();
  const wait = vi.fn<RequestHandler>((_, { requestId }) => new Promise((resolve) => returns.set(requestId, resolve)));
  return { wait, returnFrom: (id: string) => returns.get(id)?.() };
}

describe('requests that are served at the same time', () => {
  test('are refused above 10 000 without a call of the handler, and the session goes on', async () => {
    const { wait } = waiting();
    const { sent, receive, session } = playedSession({ handlers: { wait } });
    receive(...range(10_003).map((id) => request(id, 'wait')), ping(1));
    await vi.waitFor(() => expect(sent).toHaveLength(3));
    expect(responsesOf(sent)).toEqual(
      ['r10000', 'r10001', 'r10002'].map((request_id) => ({
        ...refused,
        request_id,
        error: expect.stringContaining(
          'limits: 10000 requests, 67108864 bytes): try again after some of them have been answered',
        ),
      })),
    );
    expect(wait).toHaveBeenCalledTimes(10_000);
    await expect(session[Symbol.asyncIterator]().next()).resolves.toMatchObject({ value: { message: ping(1) } });
  });

  test('make room for others when one is answered or fails', async () => {
    const { wait, returnFrom } = waiting();
    const fail: RequestHandler = () => Promise.reject(new Error('no'));
    const { sent, receive } = playedSession({ handlers: { wait, fail }, maxServedRequests: 2 });
    receive(request('a', 'wait'), request('b', 'wait'), request('c', 'wait'));
    await vi.waitFor(() => expect(responsesOf(sent)).toMatchObject([{ ...refused, request_id: 'c' }]));
    returnFrom('a');
    await vi.waitFor(() => expect(idsOf(sent)).toEqual(['c', 'a']));
    receive(request('d', 'fail'));
    await vi.waitFor(() => expect(idsOf(sent)).toEqual(['c', 'a', 'd']));
    receive(request('e', 'wait'), request('f', 'wait'));
    await vi.waitFor(() => expect(responsesOf(sent).at(-1)).toMatchObject({ ...refused, request_id: 'f' }));
    expect(wait).toHaveBeenCalledTimes(3);
  });

  test('are also limited by the length of their texts', async () => {
    const { wait, returnFrom } = waiting();
    const one = request('r1', 'wait');
    const { sent, receive } = playedSession({ handlers: { wait }, maxServedBytes: JSON.stringify(one).length + 10 });
    receive(one, request('r2', 'wait'));
    await vi.waitFor(() => expect(responsesOf(sent)).toMatchObject([{ ...refused, request_id: 'r2' }]));
    returnFrom('r1');
    await vi.waitFor(() => expect(sent).toHaveLength(2));
    receive(request('r3', 'wait'));
    await vi.waitFor(() => expect(wait).toHaveBeenCalledTimes(2));
  });

  test('count for as long as their handlers run, even if the peer has cancelled them', async () => {
    const { wait, returnFrom } = waiting();
    const { sent, receive } = playedSession({ handlers: { wait }, maxServedRequests: 10 });
    for (const id of range(10)) {
      receive(request(id, 'wait'));
      await vi.waitFor(() => expect(wait).toHaveBeenCalledTimes(Number(id.slice(1)) + 1));
      receive(cancel(id));
    }
    receive(request('late', 'wait'));
    await vi.waitFor(() => expect(responsesOf(sent)).toMatchObject([{ ...refused, request_id: 'late' }]));
    returnFrom('r3');
    await vi.waitFor(() => {
      receive(request('next', 'wait'));
      expect(wait).toHaveBeenCalledTimes(11);
    });
  });

  test('do not count if they were cancelled while queued or answered at once', async () => {
    const { wait } = waiting();
    const { sent, receive } = playedSession({ handlers: { wait, now: () => 'here' }, maxServedRequests: 1 });
    const others = range(100).flatMap((id) => [request(id, 'wait'), cancel(id)]);
    receive(...others, ...range(100).map((id) => request(id, 'now')), request('last', 'wait'));
    await vi.waitFor(() => expect(wait).toHaveBeenCalledTimes(1));
    expect(responsesOf(sent)).toHaveLength(100);
    expect(responsesOf(sent)).not.toContainEqual(expect.objectContaining(refused));
  });

  test('are bounded by the same limits if they arrive within an answer', () => {
    const { wait } = waiting();
    const { session } = playedSession({ handlers: { wait }, maxServedBytes: 100 });
    const big = {
      type: 'control_request',
      request_id: 'r1',
      request: { subtype: 'wait', text: 'x'.repeat(100) },
    } as const;
    session.serve(big);
    expect(wait).not.toHaveBeenCalled();
  });
});

describe('refusals for a peer that does not read', () => {
  test('stop at the high-water mark of the outbound stream, and the session reads no further', async () => {
    const { wait } = waiting();
    const pause = vi.fn();
    const { receive, session } = playedSession(
      { handlers: { wait }, maxServedRequests: 1, pauseAboveBytes: 5000, outbound: { highWaterMarkBytes: 2000 } },
      { write: () => new Promise<void>(() => {}), pause },
    );
    for (let n = 0; n < 200 && pause.mock.calls.length === 0; n++) {
      receive(...range(100, n * 100).map((id) => request(id, 'wait')));
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(pause).toHaveBeenCalled();
    expect(session.outbound.bytes).toBeLessThan(4000);
    expect(wait).toHaveBeenCalledTimes(1);
  });
});
