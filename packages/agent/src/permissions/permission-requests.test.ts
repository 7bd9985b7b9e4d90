import type { WireMessage } from '@proto/core/framing';
import { checkPermissionResult, schemaOf } from '@proto/core/internal';
import { TransportError } from '@proto/core/transport';
import { verifies } from '@proto/test-support/verifies';
import { failure, success } from '@proto/test-support';
import { describe, expect, test, vi } from 'vitest';
import {
  createPermissionRequests,
  DEFAULT_MAX_RESOLVED_TOOLS,
  type PermissionRequestsOptions,
} from './permission-requests.ts';
import { createScriptedHost } from '../scripted-host.test-support.ts';

const ASK = { subtype: 'can_use_tool', tool_name: 'Bash', input: {}, tool_use_id: 'T1' };
const ALLOW = { behavior: 'allow', toolUseID: 'T1' };

/** The requests of an agent with a scripted host, and the answers that the agent gets as unexpected. */
function setUp(options: Partial<PermissionRequestsOptions> = {}) {
  const host = createScriptedHost();
  const unexpected: WireMessage[] = [];
  const requests = createPermissionRequests({
    session: host.session,
    onUnexpectedResponse: (response) => void unexpected.push(response),
    ...options,
  });
  /** Takes an answer as a session does. */
  const receive = (message: WireMessage) => {
    const settlement = host.pending.settle(message);
    if (settlement === 'unknown') void requests.unexpected(message);
    return settlement;
  };
  /** Whether an answer of another run of the agent for that tool call counts as a duplicate. */
  const isRemembered = async (toolUseID: string) => {
    const before = unexpected.length;
    await requests.unexpected(success('of-another-run', { behavior: 'allow', toolUseID }));
    return unexpected.length === before;
  };
  const request: typeof requests.request = requests.request.bind(requests);
  return { ...host, request, requests, isRemembered, unexpected, receive };
}

const tick = () => new Promise((resolve) => setImmediate(resolve));

describe('the tool call ids of permission requests', () => {
  verifies('CALL-12', 'are remembered when the request settles; those of other requests are not', async () => {
    const { request, receive, last, isRemembered, frames, pending } = setUp();
    const answered = request(ASK);
    expect(await isRemembered('T1')).toBe(false);
    receive(success(last(), ALLOW));
    await answered;
    expect(await isRemembered('T1')).toBe(true);

    const refused = request({ ...ASK, tool_use_id: 'T2' });
    receive(failure(last(), 'no'));
    await expect(refused).rejects.toThrow('no');
    expect(await isRemembered('T2')).toBe(true);

    const controller = new AbortController();
    const aborted = request({ ...ASK, tool_use_id: 'T3' }, { signal: controller.signal });
    controller.abort();
    await expect(aborted).rejects.toThrow();
    expect(await isRemembered('T3')).toBe(true);

    const hook = request<unknown>({ subtype: 'hook_callback', tool_use_id: 'T4' });
    receive(success(last(), {}));
    await hook;
    expect(await isRemembered('T4')).toBe(false);

    const cut = request({ ...ASK, tool_use_id: 'T5' });
    pending.close(new TransportError('closed', 'ended'));
    await expect(cut).rejects.toThrow();
    expect(await isRemembered('T5')).toBe(true);
    expect(frames.filter(({ type }) => type === 'control_request')).toHaveLength(5);
  });

  verifies('CALL-13', 'are limited to 100 000, and the oldest is forgotten first', async () => {
    const { request, isRemembered } = setUp();
    const signal = AbortSignal.abort();
    const resolve = (n: number) => request({ ...ASK, tool_use_id: `T${n}` }, { signal }).catch(() => {});
    for (let n = 0; n < DEFAULT_MAX_RESOLVED_TOOLS; n++) await resolve(n);
    expect(await isRemembered('T0')).toBe(true);
    await resolve(DEFAULT_MAX_RESOLVED_TOOLS);
    expect([await isRemembered('T0'), await isRemembered('T1'), await isRemembered('T100000')]).toEqual([
      false,
      true,
      true,
    ]);
  });

  verifies('CTL-10', 'identify a second answer as a duplicate, which is dropped', async () => {
    const { request, receive, last, unexpected } = setUp();
    const answered = request(ASK);
    receive(success(last(), ALLOW));
    await answered;
    // The same answer again, and the same decision under an id of another run of the agent.
    expect(receive(success(last(), ALLOW))).toBe('late');
    expect(receive(success('of-another-run', ALLOW))).toBe('unknown');
    await tick();
    expect(unexpected).toEqual([]);
  });

  verifies('CTL-10', 'are remembered at once, so that an answer and its duplicate may come in one batch', async () => {
    const { request, receive, last, unexpected } = setUp();
    void request(ASK);
    receive(success(last(), ALLOW));
    receive(success('of-another-run', ALLOW));
    await tick();
    expect(unexpected).toEqual([]);
  });

  verifies('CTL-26', 'are not needed for errors: a second or late error is recognized by its request id', async () => {
    const { request, receive, last, unexpected } = setUp();
    const failed = request(ASK);
    receive(failure(last(), 'first'));
    await expect(failed).rejects.toThrow('first');
    expect(receive(failure(last(), 'second'))).toBe('late');
    const controller = new AbortController();
    const aborted = request(ASK, { signal: controller.signal, requestId: 'of-mine' });
    controller.abort();
    await expect(aborted).rejects.toThrow();
    expect(receive(failure('of-mine', 'late'))).toBe('late');
    await tick();
    expect(unexpected).toEqual([]);
  });
});

describe('an unexpected answer', () => {
  verifies('CALL-11', 'is passed on, and the next one after the handler has finished', async () => {
    const received: unknown[] = [];
    let finish = () => {};
    const { requests } = setUp({
      onUnexpectedResponse({ response }) {
        received.push(response);
        return new Promise((resolve) => {
          finish = resolve;
        });
      },
    });
    const first = success('u1', { behavior: 'allow', toolUseID: 'T8' });
    const second = failure('u2', 'no');
    const both = [requests.unexpected(first), requests.unexpected(second)];
    await tick();
    expect(received).toEqual([first['response']]);
    finish();
    await both[0];
    await tick();
    expect(received).toEqual([first['response'], second['response']]);
    finish();
    await both[1];
  });

  test('rejects if its handler fails, and the next answer is still passed on', async () => {
    const onUnexpectedResponse = vi.fn(() => Promise.reject(new Error('theirs')));
    const { requests } = setUp({ onUnexpectedResponse });
    await expect(requests.unexpected(success('u1', {}))).rejects.toThrow('theirs');
    await expect(requests.unexpected(success('u2', {}))).rejects.toThrow('theirs');
    expect(onUnexpectedResponse).toHaveBeenCalledTimes(2);
  });

  test('is dropped without a handler', async () => {
    const requests = createPermissionRequests(createScriptedHost());
    await expect(requests.unexpected(success('u1', {}))).resolves.toBeUndefined();
  });
});

describe('a remote bridge', () => {
  verifies('PERMIT-11', 'is notified only of permission requests, when they are queued', async () => {
    const sent: unknown[] = [];
    const host = setUp({
      onRequestSent: ({ requestId, request }) => sent.push([requestId, request, host.last()]),
    });
    void host.request<unknown>({ subtype: 'hook_callback' });
    void host.request(ASK, { requestId: 'r1' });
    expect(sent).toEqual([['r1', ASK, 'r1']]);
  });

  verifies('PERMIT-12', 'is notified of the end of a request before its promise settles, for any reason', async () => {
    const order: unknown[] = [];
    const { request, receive } = setUp({ onRequestResolved: (requestId) => order.push(requestId) });
    const controller = new AbortController();
    const settled = (requestId: string) => () => order.push(`${requestId} settled`);
    const answered = request(ASK, { requestId: 'r1' }).then(settled('r1'));
    const failed = request(ASK, { requestId: 'r2' }).catch(settled('r2'));
    const aborted = request(ASK, { requestId: 'r3', signal: controller.signal }).catch(settled('r3'));
    const other = request<unknown>({ subtype: 'mcp_message' }, { requestId: 'r4' }).then(settled('r4'));
    receive(success('r1', ALLOW));
    await answered;
    receive(failure('r2', 'no'));
    await failed;
    controller.abort();
    await aborted;
    receive(success('r4', {}));
    await other;
    expect(order).toEqual(['r1', 'r1 settled', 'r2', 'r2 settled', 'r3', 'r3 settled', 'r4 settled']);
  });

  test('is not notified of a request that was never sent', async () => {
    const onRequestSent = vi.fn();
    const onRequestResolved = vi.fn();
    const { request, pending } = setUp({ onRequestSent, onRequestResolved });
    await expect(request(ASK, { signal: AbortSignal.abort() })).rejects.toThrow();
    void request(ASK, { requestId: 'r1' });
    await expect(request(ASK, { requestId: 'r1' })).rejects.toThrow('in use');
    expect(onRequestResolved).not.toHaveBeenCalled();
    pending.close(new TransportError('closed', 'ended'));
    await expect(request(ASK)).rejects.toMatchObject({ code: 'closed' });
    expect(onRequestSent).toHaveBeenCalledTimes(1);
    expect(onRequestResolved).toHaveBeenCalledTimes(1);
  });
});

describe('an injected answer', () => {
  verifies('CALL-14', 'without the id of a pending request has no effect', async () => {
    const { requests, request, frames, receive, last } = setUp();
    const answered = request(ASK);
    receive(success(last(), ALLOW));
    await answered;
    const nothing = [
      { type: 'control_response' },
      { type: 'control_response', response: { subtype: 'success', response: ALLOW } },
      success(7, ALLOW),
      success('unknown', ALLOW),
      success(last(), ALLOW),
    ];
    expect(nothing.map((response) => requests.answer(response))).toEqual([false, false, false, false, false]);
    expect(frames).toHaveLength(1);
  });

  verifies('CALL-15', 'cancels the request at the host, and remembers its tool call id', async () => {
    const { requests, request, last, pending, cancels, isRemembered } = setUp();
    void request(ASK);
    expect(requests.answer(success(last(), ALLOW))).toBe(true);
    expect(cancels()).toEqual([last()]);
    expect(pending.size).toBe(0);
    expect(await isRemembered('T1')).toBe(true);
  });

  verifies('CALL-16', 'is checked like an answer of the host, may be an error, and may have no payload', async () => {
    const { requests, request, last } = setUp();
    const schema = schemaOf(checkPermissionResult);
    const allowed = request(ASK, { schema });
    requests.answer(success(last(), ALLOW));
    await expect(allowed).resolves.toEqual(ALLOW);
    const nonsense = request(ASK, { schema });
    requests.answer(success(last(), { behavior: 'maybe' }));
    await expect(nonsense).rejects.toMatchObject({ code: 'invalid-message' });
    const failed = request(ASK, { schema });
    requests.answer(failure(last(), 'refused over there'));
    await expect(failed).rejects.toThrow('refused over there');
    const empty = request(ASK);
    requests.answer(success(last(), undefined));
    await expect(empty).resolves.toEqual({});
  });

  verifies('CALL-17', 'makes the answer of the host late, so that it has no effect and is not passed on', async () => {
    const { requests, request, last, receive, unexpected } = setUp();
    const decided = request(ASK);
    requests.answer(success(last(), ALLOW));
    expect(receive(success(last(), { behavior: 'deny', message: 'no', toolUseID: 'T1' }))).toBe('late');
    await expect(decided).resolves.toEqual(ALLOW);
    await tick();
    expect(unexpected).toEqual([]);
  });

  test('is accepted even if the output has ended', async () => {
    const host = createScriptedHost();
    const enqueue = () => {
      throw new TransportError('closed', 'Stream closed');
    };
    const requests = createPermissionRequests({ session: { ...host.session, outbound: { enqueue } } });
    const decided = requests.request(ASK);
    expect(requests.answer(success(host.last(), ALLOW))).toBe(true);
    await expect(decided).resolves.toEqual(ALLOW);
  });
});
