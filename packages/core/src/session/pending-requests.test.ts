import { verifies } from '@proto/test-support/verifies';
import { holdsForAny, watchedSignal } from '@proto/test-support';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { WireMessage } from '../framing/json-line.ts';
import { TransportError } from '../transport/error.ts';
import { pendingRequests } from './pending-requests.scenario.test-support.ts';
import type { WatchedRequestOptions } from './pending-request.ts';
import { createPendingRequests, type PendingRequests } from './pending-requests.ts';
import type { Schema } from './schema.ts';

const REQUEST = { subtype: 'interrupt' };

/** A map of pending requests, and the frames that it sent. */
function setUp() {
  const frames: WireMessage[] = [];
  const pending = createPendingRequests({ send: (frame) => void frames.push(frame) });
  return { frames, pending, last: () => String(frames.at(-1)?.['request_id']) };
}

const success = (request_id: unknown, response?: unknown): WireMessage => ({
  type: 'control_response',
  response: { subtype: 'success', request_id, ...(response !== undefined && { response }) },
});
const failure = (request_id: unknown, error: unknown, error_code?: string): WireMessage => ({
  type: 'control_response',
  response: { subtype: 'error', request_id, error, ...(error_code !== undefined && { error_code }) },
});

const numbers: Schema<number> = {
  safeParse: (value) =>
    typeof value === 'number'
      ? { success: true, data: value }
      : { success: false, error: { issues: [{ path: ['deep'], message: 'not a number' }] } },
};

describe('a request', () => {
  verifies(['CTL-1', 'CTL-4'], 'is sent under a new id', () => {
    const { frames, pending } = setUp();
    void pending.request(REQUEST).catch(() => {});
    void pending.request(REQUEST).catch(() => {});
    expect(frames).toEqual([
      { type: 'control_request', request_id: expect.any(String), request: REQUEST },
      { type: 'control_request', request_id: expect.any(String), request: REQUEST },
    ]);
    expect(frames[0]?.['request_id']).not.toBe(frames[1]?.['request_id']);
  });

  verifies('CALL-6', 'takes the id of the caller, or else a UUID that no other map creates', () => {
    const { frames, pending } = setUp();
    void pending.request(REQUEST, { requestId: 'mine' }).catch(() => {});
    expect(frames[0]?.['request_id']).toBe('mine');
    const ids = new Set<string>();
    for (let n = 0; n < 100; n++) {
      const other = createPendingRequests({ send: () => {} });
      for (let m = 0; m < 100; m++) ids.add(other.createId());
    }
    expect(ids.size).toBe(10_000);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  test('calls `onAnswer` while the answer is taken, in the order of the answers', () => {
    const { pending, last } = setUp();
    const answered: unknown[] = [];
    const ask = (name: string): string => {
      const options: WatchedRequestOptions = { onAnswer: (answer) => void answered.push([name, answer.status]) };
      pending.request(REQUEST, options).catch(() => {});
      return last();
    };
    const [first, second] = [ask('first'), ask('second')];
    pending.settle(failure(second, 'broken'));
    pending.settle(success(first));
    pending.settle(success(first));
    expect(answered).toEqual([
      ['second', 'rejected'],
      ['first', 'fulfilled'],
    ]);
  });

  test('is refused if its id is in use', async () => {
    const { frames, pending, last } = setUp();
    const first = pending.request(REQUEST, { requestId: 'one' });
    await expect(pending.request(REQUEST, { requestId: 'one' })).rejects.toThrow(
      new TypeError('the request id one is already in use'),
    );
    expect(frames).toHaveLength(1);
    pending.settle(success(last(), { ok: true }));
    await expect(first).resolves.toEqual({ ok: true });
  });

  verifies('CALL-9', 'is refused as closed after the end', async () => {
    const { frames, pending } = setUp();
    pending.close(new Error('gone'));
    await expect(pending.request(REQUEST)).rejects.toMatchObject({ code: 'closed', message: 'Stream closed' });
    expect(frames).toEqual([]);
  });

  verifies('CALL-7', 'with an aborted signal rejects with the reason of the signal and sends nothing', async () => {
    const { frames, pending } = setUp();
    const reason = new Error('no longer wanted');
    await expect(pending.request(REQUEST, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    await expect(pending.request(REQUEST, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      name: 'AbortError',
    });
    expect(frames).toEqual([]);
    expect(pending.size).toBe(0);
  });

  verifies('CALL-4', 'can be looked up while it is pending', () => {
    const { pending, last } = setUp();
    void pending.request(REQUEST, { schema: numbers }).catch(() => {});
    expect(pending.get(last())).toMatchObject({ requestId: last(), request: REQUEST, schema: numbers });
    void pending.request(REQUEST).catch(() => {});
    expect(pending.get(last())).toMatchObject({ schema: null });
    expect(pending.list.map(({ schema }) => schema)).toEqual([numbers, null]);
  });

  verifies('CALL-4', 'is in the map before it is sent, so that an answer during the write finds it', async () => {
    const order: string[] = [];
    const pending: PendingRequests = createPendingRequests({
      send({ request_id }) {
        order.push(`written with ${pending.size} waiting`);
        order.push(pending.settle(success(request_id, 'at once')));
      },
    });
    await expect(pending.request(REQUEST)).resolves.toBe('at once');
    expect(order).toEqual(['written with 1 waiting', 'settled']);
    expect(pending.size).toBe(0);
  });

  test('that cannot be sent rejects with the reason and is forgotten', async () => {
    const refused = new Error('refused');
    const pending = createPendingRequests({
      send() {
        throw refused;
      },
    });
    const { signal, listeners } = watchedSignal();
    await expect(pending.request(REQUEST, { signal })).rejects.toBe(refused);
    expect(pending.size).toBe(0);
    expect(listeners()).toBe(0);
  });
});

describe('an answer', () => {
  verifies('CALL-1', 'settles only the request with its id', async () => {
    const { frames, pending } = setUp();
    const [first, second] = [pending.request(REQUEST), pending.request(REQUEST)];
    const [one, two] = frames.map((frame) => frame['request_id']);
    expect(pending.settle(success(two, 'second'))).toBe('settled');
    expect(pending.size).toBe(1);
    expect(pending.settle(success(one, 'first'))).toBe('settled');
    await expect(Promise.all([first, second])).resolves.toEqual(['first', 'second']);
  });

  verifies('CALL-2', 'without a schema resolves with its payload, or an empty object', async () => {
    const { pending, last } = setUp();
    const payload = { mode: 'plan', unknown: [1] };
    const withPayload = pending.request(REQUEST);
    pending.settle(success(last(), payload));
    await expect(withPayload).resolves.toBe(payload);
    const without = pending.request(REQUEST);
    pending.settle(success(last()));
    await expect(without).resolves.toEqual({});
  });

  verifies('CALL-3', 'that the schema refuses rejects its request, with the path of each issue', async () => {
    const { pending, last } = setUp();
    const wrong = pending.request(REQUEST, { schema: numbers });
    pending.settle(success(last(), 'text'));
    await expect(wrong).rejects.toMatchObject({
      code: 'invalid-message',
      issues: [{ path: ['deep'], message: 'not a number' }],
    });
    const right = pending.request(REQUEST, { schema: numbers });
    pending.settle(success(last(), 5));
    await expect(right).resolves.toBe(5);
  });

  verifies('CALL-3', 'with an error rejects its request with the text and code of the error', async () => {
    const { pending, last } = setUp();
    const coded = pending.request(REQUEST);
    pending.settle(failure(last(), 'not now', 'busy'));
    await expect(coded).rejects.toMatchObject({
      name: 'ControlError',
      message: 'not now',
      code: 'busy',
      subtype: 'interrupt',
    });
    const plain = pending.request(REQUEST);
    pending.settle(failure(last(), 'no'));
    await expect(plain).rejects.toMatchObject({ message: 'no', code: 'error' });
  });

  verifies('CALL-1', 'that is neither a valid success nor a valid error rejects its request', async () => {
    const { pending } = setUp();
    const answers = [
      { request_id: 'x' },
      { subtype: 'maybe', request_id: 'x', response: {} },
      { subtype: 'error', request_id: 'x' },
    ];
    for (const response of answers) {
      const request = pending.request(REQUEST, { requestId: 'x' });
      expect(pending.settle({ type: 'control_response', response })).toBe('settled');
      const invalid = { code: 'invalid-message', message: 'invalid answer to interrupt', issues: [] };
      await expect(request, response.subtype).rejects.toMatchObject(invalid);
    }
  });

  test('whose schema throws rejects only its own request', async () => {
    const { pending, last } = setUp();
    const thrown = new Error('bad schema');
    const schema: Schema<unknown> = {
      safeParse() {
        throw thrown;
      },
    };
    const request = pending.request(REQUEST, { schema });
    expect(pending.settle(success(last()))).toBe('settled');
    await expect(request).rejects.toBe(thrown);
  });

  test('without a pending request is reported as late, unknown or invalid', () => {
    const { pending, last } = setUp();
    void pending.request(REQUEST);
    expect(pending.settle(success(last()))).toBe('settled');
    expect(pending.settle(success(last()))).toBe('late');
    void pending.request(REQUEST, { requestId: 'own' });
    pending.settle(success('own'));
    expect(pending.settle(failure('own', 'again'))).toBe('late');
    expect(pending.settle(success('never asked'))).toBe('unknown');
    expect(pending.settle(success(undefined))).toBe('invalid');
    expect(pending.settle({ type: 'control_response' })).toBe('invalid');
  });

  test('is late for the last thousand ids of the caller, and created ids take no place among them', () => {
    const { pending, last } = setUp();
    const settled = (requestId?: string) => {
      void pending.request(REQUEST, requestId === undefined ? {} : { requestId });
      expect(pending.settle(success(last()))).toBe('settled');
    };
    for (let n = 0; n < 1000; n++) settled(`own ${n}`);
    for (let n = 0; n < 3; n++) settled();
    expect(['own 0', 'own 1'].map((id) => pending.settle(success(id)))).toEqual(['late', 'late']);
    settled('own 1000');
    const again = ['own 0', 'own 1', 'own 1000'].map((id) => pending.settle(success(id)));
    expect(again).toEqual(['unknown', 'late', 'late']);
  });
});

describe('aborting a request', () => {
  verifies('CALL-8', 'sends a cancel to the peer, after the request, and rejects at once', async () => {
    const { frames, pending, last } = setUp();
    const { controller, signal } = watchedSignal();
    const request = pending.request(REQUEST, { signal });
    const id = last();
    const reason = new Error('changed my mind');
    controller.abort(reason);
    expect(frames.at(-1)).toEqual({ type: 'control_cancel_request', request_id: id });
    expect(pending.size).toBe(0);
    await expect(request).rejects.toBe(reason);

    const other = pending.request(REQUEST, { signal: AbortSignal.any([]) });
    const platform = new AbortController();
    const third = pending.request(REQUEST, { signal: platform.signal });
    platform.abort();
    await expect(third).rejects.toMatchObject({ name: 'AbortError' });
    pending.close(new Error('end'));
    await expect(other).rejects.toThrow('end');
  });

  verifies('CALL-5', 'leaves no listener and no entry, however the request settles', async () => {
    const { pending, last } = setUp();
    const { signal, controller, listeners } = watchedSignal();
    const settle = [
      () => pending.settle(success(last())),
      () => pending.settle(failure(last(), 'no')),
      () => controller.abort(),
    ];
    for (const act of settle) {
      const request = pending.request(REQUEST, { signal });
      expect(listeners()).toBe(1);
      act();
      await request.catch(() => {});
      expect(listeners()).toBe(0);
      expect(pending.size).toBe(0);
    }
  });

  verifies('COST-3', 'uses one listener on a signal, however many requests share the signal', async () => {
    const { frames, pending } = setUp();
    const { controller, signal, listeners } = watchedSignal();
    const requests = Array.from({ length: 50 }, () => pending.request(REQUEST, { signal }));
    expect(listeners()).toBe(1);
    controller.abort();
    await Promise.allSettled(requests);
    expect(frames).toHaveLength(100);
    expect(listeners()).toBe(0);
  });

  verifies('CALL-8', 'sends the cancel only once', async () => {
    const { frames, pending } = setUp();
    const { controller, signal } = watchedSignal();
    const request = pending.request(REQUEST, { signal });
    controller.abort();
    signal.dispatchEvent(new Event('abort'));
    await request.catch(() => {});
    expect(frames.filter(({ type }) => type === 'control_cancel_request')).toHaveLength(1);
  });

  verifies('CTL-26', 'makes a later answer late, and that answer settles no other request', async () => {
    const { pending, last } = setUp();
    const controller = new AbortController();
    const request = pending.request(REQUEST, { signal: controller.signal });
    const id = last();
    controller.abort();
    await request.catch(() => {});
    expect(pending.settle(success(id))).toBe('late');
    expect(pending.settle(success(id))).toBe('late');
  });
});

describe('the time limit of a request', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('sends a cancel to the peer and rejects with a code', async () => {
    const { frames, pending } = setUp();
    const request = pending.request(REQUEST, { timeoutMs: 1000 });
    vi.advanceTimersByTime(999);
    expect(frames).toHaveLength(1);
    vi.advanceTimersByTime(1);
    await expect(request).rejects.toMatchObject({ code: 'timeout' });
    expect(frames.at(-1)).toMatchObject({ type: 'control_cancel_request' });
  });

  test('leaves no timer after the answer, and a request without limit has no timer', async () => {
    const { pending, last } = setUp();
    const limited = pending.request(REQUEST, { timeoutMs: 1000 });
    expect(vi.getTimerCount()).toBe(1);
    pending.settle(success(last()));
    await limited;
    void pending.request(REQUEST);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('of 2 ** 31 ms is as long as it says, and of Infinity there is none', async () => {
    const { pending } = setUp();
    void pending.request(REQUEST, { timeoutMs: Infinity });
    expect([vi.getTimerCount(), pending.size]).toEqual([0, 1]);
    const late = expect(pending.request(REQUEST, { timeoutMs: 2 ** 31 })).rejects.toMatchObject({ code: 'timeout' });
    await vi.advanceTimersByTimeAsync(2 ** 31 - 1);
    expect(pending.size).toBe(2);
    await vi.advanceTimersByTimeAsync(1);
    await late;
    expect(pending.size).toBe(1);
  });

  test.each([-1, NaN])('of %d ms is refused', async (timeoutMs) => {
    const { pending } = setUp();
    await expect(pending.request(REQUEST, { timeoutMs })).rejects.toThrow(RangeError);
    expect(pending.size).toBe(0);
  });
});

test('close rejects all pending requests with its reason', async () => {
  const { pending } = setUp();
  const reason = new Error('link lost');
  const requests = [pending.request(REQUEST), pending.request(REQUEST, { timeoutMs: 60_000 })];
  pending.close(reason);
  for (const request of requests) await expect(request).rejects.toBe(reason);
  expect(pending.size).toBe(0);
});

verifies('CALL-10', 'a closed stream rejects permission requests, and no others, with a special text', async () => {
  const permission = { subtype: 'can_use_tool', tool_name: 'Bash', input: {} };
  const rejected = async (request: { subtype: string }, reason: unknown) => {
    const { pending } = setUp();
    const answer = pending.request(request);
    pending.close(reason);
    return answer.catch((error: unknown) => error);
  };
  const closed = new TransportError('closed', 'the stream is closed');
  expect(await rejected(permission, closed)).toMatchObject({
    code: 'closed',
    message: 'Tool permission stream closed before response received',
    cause: closed,
  });
  expect(await rejected(REQUEST, closed)).toBe(closed);
  for (const other of [new TransportError('lost', 'cut'), Object.assign(new Error('mine'), { code: 'closed' })]) {
    expect(await rejected(permission, other)).toBe(other);
  }
});

test('the reason of the first close stays the cause of later refusals', async () => {
  const { pending } = setUp();
  const reason = new Error('link lost');
  pending.close(reason);
  pending.close(new Error('again'));
  await expect(pending.request(REQUEST)).rejects.toMatchObject({ code: 'closed', cause: reason });
});

test('closing with a request that nobody awaits causes no unhandled rejection', async () => {
  const { pending } = setUp();
  const unhandled = vi.fn<(reason: unknown) => void>();
  process.on('unhandledRejection', unhandled);
  try {
    void pending.request(REQUEST);
    pending.close(new Error('link lost'));
    await new Promise((resolve) => setImmediate(resolve));
    expect(unhandled).not.toHaveBeenCalled();
  } finally {
    process.off('unhandledRejection', unhandled);
  }
});

test(
  'every request settles exactly once, with the expected outcome, under any schedule',
  () => holdsForAny(pendingRequests, 1000),
  30_000,
);
