import { verifies } from '@proto/test-support/verifies';
import { describe, expect, test, vi } from 'vitest';
import { createMemoryPair } from '../transport/memory.ts';
import { cancel, ping, playedSession, request } from './played-session.test-support.ts';
import type { RequestHandler } from './request-handlers.ts';
import { createSession } from './session.ts';
import type { Session } from './session-options.ts';

describe('control traffic', () => {
  test('is served when it arrives, before unread messages', async () => {
    const { sent, receive } = playedSession({ handlers: { mode: () => 'plan' } });
    receive(ping(1), ping(2), request('r1', 'mode'), request('r2', 'unknown'));
    await vi.waitFor(() => expect(sent).toHaveLength(2));
    expect(sent[0]).toMatchObject({ response: { subtype: 'success', request_id: 'r1', response: 'plan' } });
    expect(sent[1]).toMatchObject({
      response: { subtype: 'error', request_id: 'r2', error_code: 'unsupported_request' },
    });
  });

  test('is served while an answer is pending', async () => {
    const { session, sent, receive } = playedSession({ handlers: { mode: () => 'plan' } });
    const answer = session.request({ subtype: 'initialize' });
    await vi.waitFor(() => expect(sent).toHaveLength(1));
    receive(request('r1', 'mode'));
    await vi.waitFor(() => expect(sent).toHaveLength(2));
    receive({
      type: 'control_response',
      response: { subtype: 'success', request_id: sent[0]?.['request_id'], response: { ok: 1 } },
    });
    await expect(answer).resolves.toEqual({ ok: 1 });
  });

  test('a cancel goes first: a request cancelled in its own batch never starts, and a running one is aborted', async () => {
    const log: string[] = [];
    const wait: RequestHandler = ({ name }, { signal }) => {
      log.push(`begin ${String(name)}`);
      return new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          log.push(`abort ${String(name)}`);
          resolve(undefined);
        });
      });
    };
    const { receive } = playedSession({ handlers: { wait } });
    const ask = (id: string) => ({ type: 'control_request', request_id: id, request: { subtype: 'wait', name: id } });
    receive(ask('a'));
    await vi.waitFor(() => expect(log).toEqual(['begin a']));
    receive(ask('b'), ask('c'), cancel('b'), cancel('a'), ask('b'));
    await vi.waitFor(() => expect(log).toContain('begin c'));
    expect(log).toEqual(['begin a', 'abort a', 'begin c', 'begin b']);
  });

  test('a batch of requests and as many cancels costs time in proportion to its size', async () => {
    const { receive, sent } = playedSession({ handlers: { wait: () => new Promise(() => {}) } });
    const ids = Array.from({ length: 40_000 }, (_, n) => `r${n}`);
    // With a search for each cancel, this test would take 13 s, but its time limit is 5 s.
    receive(...ids.map((id) => request(id, 'wait')), ...ids.map(cancel), request('last', 'unheard_of'));
    await vi.waitFor(() => expect(sent).toHaveLength(1));
  });

  test('onResponse reports an unmatched answer, and an error thrown there does not break the link', async () => {
    const thrown: unknown[] = [];
    const onThrown = (error: unknown) => thrown.push(error);
    process.once('uncaughtException', onThrown);
    const listeners = process.listeners('uncaughtException').filter((listener) => listener !== onThrown);
    for (const listener of listeners) process.off('uncaughtException', listener);
    const mistake = new Error('mine');
    const onResponse = vi.fn(() => {
      throw mistake;
    });
    const { session, receive } = playedSession({ onResponse });
    receive({ type: 'control_response', response: { subtype: 'success', request_id: 'never' } }, ping(1));
    await expect(session[Symbol.asyncIterator]().next()).resolves.toMatchObject({ value: { message: ping(1) } });
    await vi.waitFor(() => expect(thrown).toEqual([mistake]));
    for (const listener of listeners) process.on('uncaughtException', listener);
    expect(onResponse.mock.calls).toEqual([[expect.objectContaining({ type: 'control_response' }), 'unknown']]);
  });

  verifies('CTL-23', 'accepts ids in camel case, and is answered in snake case', async () => {
    const { sent, receive } = playedSession({ handlers: { mode: () => 'plan' } });
    receive({ type: 'control_request', requestId: 'r1', request: { subtype: 'mode' } });
    await vi.waitFor(() => expect(sent).toHaveLength(1));
    const response = { subtype: 'success', request_id: 'r1', response: 'plan' };
    expect(sent).toEqual([{ type: 'control_response', response }]);
  });

  verifies('CTL-23', 'settles a request by an answer whose id is in camel case', async () => {
    const { session, sent, receive } = playedSession();
    const answer = session.request<unknown>({ subtype: 'can_use_tool' });
    await vi.waitFor(() => expect(sent).toHaveLength(1));
    const requestId = sent[0]?.['request_id'];
    receive({ type: 'control_response', response: { subtype: 'success', requestId, response: { behavior: 'deny' } } });
    expect(await answer).toEqual({ behavior: 'deny' });
  });

  verifies(
    'QUEUE-1',
    'shares one queue with the messages: a request never overtakes a message that was emitted earlier',
    async () => {
      const { host, agent } = createMemoryPair();
      const sender = createSession(agent);
      for (let n = 0; n < 500; n++) void sender.emit({ type: 'stream_event', n, text: 'x'.repeat(n) });
      void sender.request<unknown>({ subtype: 'can_use_tool' }).catch(() => {});
      void sender.emit({ type: 'result' });
      const types: string[] = [];
      for await (const items of host.incoming) {
        for (const item of items) if (item.kind === 'message') types.push(String(item.read().message?.type));
        if (types.includes('result')) break;
      }
      expect(types).toEqual([...Array.from({ length: 500 }, () => 'stream_event'), 'control_request', 'result']);
    },
  );

  verifies('CALL-8', 'sends a cancel after the messages that are already queued', async () => {
    const { session, sent } = playedSession();
    const controller = new AbortController();
    const answer = session.request({ subtype: 'initialize' }, { signal: controller.signal });
    void session.emit(ping(1));
    controller.abort();
    void session.emit(ping(2));
    await expect(answer).rejects.toMatchObject({ name: 'AbortError' });
    await vi.waitFor(() => expect(sent).toHaveLength(4));
    expect(sent.map(({ type }) => type)).toEqual(['control_request', 'ping', 'control_cancel_request', 'ping']);
  });

  verifies('CTL-26', 'reports an answer after an abort as late, and not as new work', async () => {
    const onResponse = vi.fn();
    const { session, sent, receive } = playedSession({ onResponse });
    const controller = new AbortController();
    const answer = session.request({ subtype: 'initialize' }, { signal: controller.signal });
    controller.abort();
    await answer.catch(() => {});
    await vi.waitFor(() => expect(sent).toHaveLength(2));
    receive(
      { type: 'control_response', response: { subtype: 'success', request_id: sent[0]?.['request_id'] } },
      ping(1),
    );
    await session[Symbol.asyncIterator]().next();
    expect(onResponse.mock.calls).toEqual([[expect.anything(), 'late']]);
  });
});

describe('a handler that ends its own session', () => {
  test('is answered before the end, and blocks no other handler', async () => {
    const { host, agent } = createMemoryPair();
    const session: Session = createSession(agent, {
      handlers: {
        async leave() {
          await session.end();
          return { left: true };
        },
      },
    });
    const peer = createSession(host);
    const answers = [peer.request({ subtype: 'leave' }), peer.request({ subtype: 'leave' })];
    expect(await Promise.all(answers)).toEqual([{ left: true }, { left: true }]);
    // The output of the agent has ended.
    expect(await peer[Symbol.asyncIterator]().next()).toMatchObject({ done: true });
  });
});

verifies('CALL-10', 'the end of the input rejects pending requests, with a text for each kind', async () => {
  const { host, agent } = createMemoryPair();
  const session = createSession(agent);
  const waiting = ['can_use_tool', 'initialize'].map((subtype) =>
    session.request({ subtype }).catch(({ code, message }) => [code, message]),
  );
  await host.end();
  expect(await Promise.all(waiting)).toEqual([
    ['closed', 'Tool permission stream closed before response received'],
    ['closed', 'the other side ended its output before it answered'],
  ]);
});
