import { verifies } from '@proto/test-support/verifies';
import { describe, expect, test, vi } from 'vitest';
import type { IncomingNotice } from '../transport/transport.ts';
import { incomingMessage } from '../transport/lines/incoming.ts';
import { ping, playedSession, request } from './played-session.test-support.ts';
import type { RequestHandler } from './request-handlers.ts';

const notice = (event: string, data: unknown, cursor?: string): IncomingNotice => ({
  kind: 'notice',
  event,
  data,
  ...(cursor !== undefined && { cursor }),
});
const resolved = (request_id: unknown, outcome = 'answered', by = 'somebody') =>
  notice('control_resolved', { request_id, by, outcome });
const refused = (event_id: unknown, type: string) => notice('message_refused', { event_id, error: { type } });

/** A handler that never finishes, and the reason of each aborted call. */
function waiting() {
  const reasons: unknown[] = [];
  const wait: RequestHandler = (_, { signal }) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => {
        reasons.push(String(signal.reason));
        reject(signal.reason);
      });
    });
  return { reasons, handlers: { wait: vi.fn(wait) } };
}

describe('a notice of the server about a request that this side serves', () => {
  verifies('PERMIT-17', 'aborts the handler when another client has answered, and sends no answer', async () => {
    const { reasons, handlers } = waiting();
    const { session, sent, receiveItems, receive } = playedSession({ handlers });
    receive(request('r1', 'wait'), request('r2', 'wait'), request('r3', 'wait'));
    await vi.waitFor(() => expect(handlers.wait).toHaveBeenCalledTimes(3));
    receiveItems([resolved('r1'), resolved('r2', 'cancelled', 'worker'), resolved('of nobody')]);
    await vi.waitFor(() => expect(reasons).toHaveLength(2));
    expect(reasons).toEqual(['AbortError: answered elsewhere', 'AbortError: cancelled by the peer']);
    // Only the request that is still being served keeps the output open.
    receiveItems([resolved('r3')]);
    await session.end();
    expect(sent).toEqual([]);
  });

  verifies(
    ['PERMIT-17', 'REM-58'],
    'leaves a request open when the notice is about a request of a client with the same id',
    async () => {
      const { reasons, handlers } = waiting();
      const { receive, receiveItems } = playedSession({ handlers });
      receive(request('r1', 'wait'));
      await vi.waitFor(() => expect(handlers.wait).toHaveBeenCalledTimes(1));
      receiveItems([resolved('r1', 'answered', 'worker'), resolved('r1', 'cancelled', 'somebody')]);
      receiveItems([resolved('r1', 'cancelled', 'worker')]);
      await vi.waitFor(() => expect(reasons).toHaveLength(1));
      // The reason is that of the last notice, so the others have not ended the request.
      expect(reasons).toEqual(['AbortError: cancelled by the peer']);
    },
  );

  test('applies in order: a request that is resolved in its own batch never starts, and a repeated request starts', async () => {
    const { handlers } = waiting();
    const { receiveItems } = playedSession({ handlers });
    const asked = () => incomingMessage(JSON.stringify(request('r1', 'wait')));
    receiveItems([asked(), resolved('r1'), asked()]);
    await vi.waitFor(() => expect(handlers.wait).toHaveBeenCalledTimes(1));
    const [, context] = handlers.wait.mock.calls[0] ?? [];
    expect(context?.signal.aborted).toBe(false);
  });

  test('changes nothing when it is malformed', async () => {
    const { reasons, handlers } = waiting();
    const { receive, receiveItems } = playedSession({ handlers });
    receive(request('r1', 'wait'));
    await vi.waitFor(() => expect(handlers.wait).toHaveBeenCalledTimes(1));
    receiveItems([
      ...[undefined, null, 'r1', ['r1'], {}, { request_id: ['r1'] }].map((data) => notice('control_resolved', data)),
      ...[undefined, null, 7, {}, { event_id: 7 }].map((data) => notice('message_refused', data)),
    ]);
    expect(reasons).toEqual([]);
  });
});

describe('a notice of the server about a request that this side sent', () => {
  verifies('CALL-3', 'rejects the request that the server does not forward, with the reason as its code', async () => {
    const { session, sent, receiveItems } = playedSession({}, {}, true);
    const [one, two] = [session.request({ subtype: 'interrupt' }), session.request({ subtype: 'initialize' })];
    await vi.waitFor(() => expect(sent).toHaveLength(2));
    receiveItems([refused('of another', 'x'), refused(sent[0]?.['uuid'], 'permission_error')]);
    await expect(one).rejects.toMatchObject({
      name: 'ControlError',
      code: 'permission_error',
      message: 'the server did not accept the request: permission_error',
    });
    expect(session.pending.list.map((pending) => pending.request.subtype)).toEqual(['initialize']);
    // The request is already settled, so a second refusal changes nothing.
    receiveItems([refused(sent[0]?.['uuid'], 'permission_error')]);
    session.abort();
    await expect(two).rejects.toMatchObject({ code: 'aborted' });
  });

  test('finds its request for as long as the request is pending, however many others have settled', async () => {
    const { session, sent, receive, receiveItems } = playedSession({}, {}, true);
    const first = session.request({ subtype: 'interrupt' });
    await vi.waitFor(() => expect(sent).toHaveLength(1));
    for (let round = 0; round < 4; round++) {
      const before = sent.length;
      const asked = Array.from({ length: 200 }, () => session.request({ subtype: 'set_model' }));
      await vi.waitFor(() => expect(sent).toHaveLength(before + 200));
      const answered = sent.slice(before).map(({ request_id }) => ({ subtype: 'success', request_id }));
      receive(...answered.map((response) => ({ type: 'control_response', response })));
      await Promise.all(asked);
    }
    receiveItems([refused(sent[0]?.['uuid'], 'rate_limited')]);
    await expect(first).rejects.toMatchObject({ code: 'rate_limited' });
  });
});

test('every notice is an item for the application, in order, and is acknowledged after it was read', async () => {
  const acknowledged: string[] = [];
  const { session, control } = playedSession(
    {},
    { resumption: { cursor: undefined, acknowledge: (cursor) => void acknowledged.push(cursor) } },
  );
  const message = (n: number) => incomingMessage(JSON.stringify(ping(n)), { cursor: String(n) });
  const known = { ...resolved('r1'), cursor: '2' };
  control.receive([message(1), known, notice('unknown_event', { a: 1 }), message(4)]);
  const reader = session[Symbol.asyncIterator]();
  const seen: unknown[] = [];
  for (let n = 0; n < 4; n++) {
    const { value } = await reader.next();
    seen.push(value?.kind === 'message' ? value.message['n'] : value);
    if (n === 1) expect(acknowledged).toEqual(['1', '2']);
  }
  expect(seen).toEqual([1, known, notice('unknown_event', { a: 1 }), 4]);
  expect(acknowledged).toEqual(['1', '2', '4']);
});

test('an unread notice counts by its size', async () => {
  const pause = vi.fn();
  const { session, control } = playedSession({ pauseAboveBytes: 10_000 }, { pause });
  for (let n = 0; n < 20; n++) {
    control.receive([notice('news', { text: 'x'.repeat(1000) })]);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(pause).toHaveBeenCalled();
  session.abort();
});
