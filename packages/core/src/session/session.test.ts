import { verifies } from '@proto/test-support/verifies';
import { describe, expect, test, vi } from 'vitest';
import { defineTransport } from '../transport/define-transport.ts';
import { TransportError } from '../transport/error.ts';
import { incomingLines, incomingMessage } from '../transport/lines/incoming.ts';
import { createMemoryPair } from '../transport/memory.ts';
import type { Batch } from '../transport/transport.ts';
import { cancel, ping, playedSession, request } from './played-session.test-support.ts';
import type { RequestHandler } from './request-handlers.ts';
import { createSession } from './session.ts';
import type { Session, SessionOptions } from './session-options.ts';
import type { SessionItem } from './unread.ts';

async function readAll(session: Session): Promise<SessionItem[]> {
  const items: SessionItem[] = [];
  for await (const item of session) items.push(item);
  return items;
}

const messagesOf = (items: readonly SessionItem[]) =>
  items.map((item) => (item.kind === 'message' ? item.message : item.kind));

describe('reading a session', () => {
  verifies(['FRM-27', 'WSK-29'], 'yields messages in order, without control traffic and keep-alives', async () => {
    const { session, control, receive } = playedSession();
    receive(ping(1), { type: 'keep_alive' }, request('r1', 'nothing'), ping(2));
    receive(cancel('r1'), { type: 'control_response', response: { subtype: 'success', request_id: 'x' } }, ping(3));
    control.ended();
    expect(messagesOf(await readAll(session))).toEqual([ping(1), ping(2), ping(3)]);
  });

  test('cuts the excerpt of a malformed line between characters', async () => {
    const { session, control, receiveItems } = playedSession();
    receiveItems(incomingLines([`${'x'.repeat(255)}😀`]));
    control.ended();
    expect((await readAll(session))[0]).toMatchObject({ excerpt: 'x'.repeat(255), length: 257 });
  });

  test('yields a malformed item at its position, and goes on', async () => {
    const { session, control, receiveItems, receive } = playedSession();
    const error = new TransportError('too-large', 'too large');
    receive(ping(1));
    receiveItems(incomingLines(['not json', '42', '{"no":"type"}']));
    receiveItems([{ kind: 'malformed', error, excerpt: 'xxx' }]);
    receive({ type: 'control_request', request_id: 'r1' }, { type: 'control_response' }, ping(2));
    control.ended();
    const items = await readAll(session);
    expect(messagesOf(items)).toEqual([ping(1), ...Array.from({ length: 6 }, () => 'malformed'), ping(2)]);
    expect(items[1]).toMatchObject({ error: { code: 'malformed' }, excerpt: 'not json' });
    expect(items[4]).toMatchObject({ error, excerpt: 'xxx' });
    expect(items[5]).toMatchObject({ error: { code: 'invalid-message', issues: [{ path: ['request'] }] } });
  });

  verifies(['MSG-13', 'AGENT-16'], 'yields assistant and system messages of the host unchanged', async () => {
    const { session, control, receive } = playedSession();
    const lines = [
      { type: 'assistant', message: { content: [{ type: 'new', x: [null] }] } },
      { type: 'system', subtype: 'new' },
    ];
    receive(...lines);
    control.ended();
    expect(messagesOf(await readAll(session))).toEqual(lines);
  });

  test('ends with the peer, and throws the error of a broken link after the messages that had arrived', async () => {
    const { session, control, receive } = playedSession();
    receive(ping(1));
    control.closed(new TransportError('lost', 'gone'));
    const items: SessionItem[] = [];
    const reading = (async () => {
      for await (const item of session) items.push(item);
    })();
    await expect(reading).rejects.toMatchObject({ code: 'lost' });
    expect(messagesOf(items)).toEqual([ping(1)]);
    await expect(session.closed).resolves.toMatchObject({ by: 'link' });
  });

  test('is possible once, and leaving the loop closes the session', async () => {
    const { session, receive } = playedSession();
    receive(ping(1), ping(2));
    for await (const _ of session) break;
    await expect(session.closed).resolves.toEqual({ by: 'local' });
    expect(() => session[Symbol.asyncIterator]()).toThrow(TypeError);
  });

  test('acknowledges a cursor when its message is read, with the control frames that follow it', async () => {
    const acknowledged: string[] = [];
    const resumption = { cursor: undefined, acknowledge: (cursor: string) => void acknowledged.push(cursor) };
    const { session, receiveItems } = playedSession({}, { resumption });
    const at = (cursor: string, message: object) => incomingMessage(JSON.stringify(message), { cursor });
    receiveItems([at('1', { type: 'keep_alive' }), at('2', ping(2)), at('3', ping(3)), at('4', request('r', 'x'))]);
    await vi.waitFor(() => expect(acknowledged).toEqual(['1']));
    const items = session[Symbol.asyncIterator]();
    await items.next();
    expect(acknowledged).toEqual(['1', '2']);
    await items.next();
    expect(acknowledged).toEqual(['1', '2', '4']);
  });
});

describe('a session with a validate function', () => {
  const validate: SessionOptions['validate'] = (message) => {
    if (message['n'] === 'broken') throw new Error('not mine');
    if (typeof message['n'] === 'string') return { issues: [{ path: ['n'], message: 'not a number' }] };
    const { extra, ...rest } = message;
    return extra === undefined ? { message } : { message: rest, dropped: [{ path: ['extra'], message: 'no' }] };
  };

  test('yields the messages that the function returns, and a malformed item for a message that it refuses', async () => {
    const { session, control, receive } = playedSession({ validate });
    receive(
      ping(1),
      { type: 'ping', n: 'x' },
      { type: 'ping', n: 2, extra: true },
      { type: 'ping', n: 'broken' },
      ping(3),
    );
    control.ended();
    const items = await readAll(session);
    expect(items).toEqual([
      { kind: 'message', message: ping(1) },
      expect.objectContaining({ kind: 'malformed', error: expect.objectContaining({ code: 'invalid-message' }) }),
      { kind: 'message', message: ping(2), dropped: [{ path: ['extra'], message: 'no' }] },
      expect.objectContaining({ kind: 'malformed' }),
      { kind: 'message', message: ping(3) },
    ]);
    expect(items[1]).toMatchObject({ error: { issues: [{ path: ['n'] }] }, excerpt: '{"type":"ping","n":"x"}' });
  });

  test('does not validate control traffic', async () => {
    const check = vi.fn(validate);
    const { sent, receive } = playedSession({ validate: check, handlers: { mode: () => 'plan' } });
    receive(request('r1', 'mode'), { type: 'keep_alive' });
    await vi.waitFor(() => expect(sent).toHaveLength(1));
    expect(check).not.toHaveBeenCalled();
  });
});

describe('writing to a session', () => {
  test('gives messages an id only if every message of the transport has an id', async () => {
    const ids = async (hasMessageIds: boolean) => {
      const { session, batches } = playedSession({}, {}, hasMessageIds);
      await session.emit({ type: 'ping', uuid: 'u1' });
      await vi.waitFor(() => expect(batches).toHaveLength(1));
      return Array.from(batches[0]?.messages() ?? [], ({ id }) => id);
    };
    expect(await ids(true)).toEqual(['u1']);
    expect(await ids(false)).toEqual([undefined]);
  });

  test('gives control frames a new id if every message of the transport has an id', async () => {
    const { session, batches } = playedSession({}, {}, true);
    void session.request({ subtype: 'initialize' });
    await vi.waitFor(() => expect(batches).toHaveLength(1));
    const [sent] = batches[0]?.messages() ?? [];
    expect(sent?.id).toMatch(/^[0-9a-f-]{36}$/);
    expect(JSON.parse(sent?.text ?? '')).toMatchObject({ type: 'control_request', uuid: sent?.id });
  });

  verifies('FRM-9', 'escapes line separators in every kind of frame', async () => {
    const separators = 'a\u2028b\u2029c';
    const texts: string[] = [];
    const write = (batch: Batch) => void texts.push(batch.text);
    const { session, receive } = playedSession({ handlers: { greet: () => separators } }, { write });
    void session.emit({ type: 'ping', separators });
    void session.request<unknown>({ subtype: 'initialize', separators }).catch(() => {});
    receive(request('r1', 'greet'));
    await vi.waitFor(() => expect(texts.join('').split('\n')).toHaveLength(4));
    expect(texts.join('')).not.toMatch(/[\u2028\u2029]/);
    expect(texts.join('').match(/\\u2028/g)).toHaveLength(3);
  });

  test('fails with the link, and rejects all pending requests', async () => {
    const broken = new TransportError('lost', 'broken pipe');
    const { session, receive, control } = playedSession({}, { write: () => Promise.reject(broken) });
    await expect(session.request({ subtype: 'initialize' })).rejects.toBe(broken);
    await expect(session.emit(ping(1))).rejects.toMatchObject({ code: 'closed', cause: broken });
    // The peer may have sent more messages before the link broke.
    receive(ping(2));
    control.ended();
    expect(messagesOf(await readAll(session))).toEqual([ping(2)]);
  });
});

describe('the end of a session', () => {
  test('by the end of the input rejects pending requests, with the error of the link if it broke', async () => {
    const clean = playedSession();
    const unanswered = clean.session.request({ subtype: 'initialize' });
    clean.control.ended();
    await expect(unanswered).rejects.toMatchObject({ code: 'closed' });

    const cut = playedSession();
    const lost = new TransportError('lost', 'gone');
    const other = cut.session.request({ subtype: 'initialize' });
    cut.control.closed(lost);
    await expect(other).rejects.toBe(lost);
    expect(cut.session.pending.size).toBe(0);
    await expect(cut.session.request({ subtype: 'initialize' })).rejects.toMatchObject({ code: 'closed', cause: lost });
  });

  verifies('CTL-17', 'waits for control requests that are still being served', async () => {
    let answer: (payload: unknown) => void = () => {};
    const ended = vi.fn();
    const slow = () => new Promise((resolve) => (answer = resolve));
    const { session, sent, receive } = playedSession({ handlers: { slow } }, { end: ended });
    receive(request('r1', 'slow'), ping(1));
    await session[Symbol.asyncIterator]().next();
    const end = session.end();
    void session.emit(ping(2));
    await vi.waitFor(() => expect(sent).toHaveLength(1));
    expect(ended).not.toHaveBeenCalled();
    answer('at last');
    await end;
    expect(sent).toEqual([
      ping(2),
      { type: 'control_response', response: { subtype: 'success', request_id: 'r1', response: 'at last' } },
    ]);
    expect(ended).toHaveBeenCalledTimes(1);
    await expect(session.emit(ping(3))).rejects.toMatchObject({ code: 'closed' });
  });

  test('waits for no handler after the link broke', async () => {
    const { session, control, receive } = playedSession({ handlers: { deaf: () => new Promise(() => {}) } });
    receive(request('r1', 'deaf'), ping(1));
    await session[Symbol.asyncIterator]().next();
    const end = session.end();
    control.closed(new TransportError('lost', 'gone'));
    await expect(end).resolves.toBeUndefined();
  });

  test('closes with the input, even if writing has failed', async () => {
    const { session, control } = playedSession({}, { write: () => Promise.reject(new Error('EPIPE')) });
    await expect(session.request({ subtype: 'initialize' })).rejects.toMatchObject({ code: 'lost' });
    await session.end();
    control.ended();
    await expect(session.closed).resolves.toBeDefined();
  });

  test('by close sends the queued messages, aborts running handlers and sends no answers for them', async () => {
    const aborted = vi.fn();
    const slow: RequestHandler = (_, { signal }) => new Promise(() => signal.addEventListener('abort', aborted));
    const { session, sent, receive } = playedSession({ handlers: { slow } });
    receive(request('r1', 'slow'), ping(0));
    await session[Symbol.asyncIterator]().next();
    void session.emit(ping(1));
    await session.close();
    await session.close();
    expect(aborted).toHaveBeenCalledTimes(1);
    expect(sent).toEqual([ping(1)]);
  });

  test('by close does not wait for a transport that never opened', async () => {
    const transport = defineTransport('never', (control) => ({
      write: () => {},
      close: () => control.closed(),
      abort() {},
    }));
    const session = createSession(transport);
    const waiting = session.request({ subtype: 'initialize' });
    await session.close();
    await expect(waiting).rejects.toMatchObject({ code: 'closed' });
  });

  test('by abort rejects all pending calls with the reason as the cause', async () => {
    const reason = new Error('enough');
    const { session } = playedSession({}, { write: () => new Promise(() => {}) });
    const answer = session.request({ subtype: 'initialize' });
    const next = session[Symbol.asyncIterator]().next();
    session.abort(reason);
    await expect(answer).rejects.toMatchObject({ code: 'aborted', cause: reason });
    await expect(next).rejects.toMatchObject({ code: 'aborted', cause: reason });
    await expect(session.closed).resolves.toMatchObject({ by: 'local', error: { code: 'aborted' } });
  });
});

test('calls that nobody awaits cause no unhandled rejection when the session ends', async () => {
  const { session, control } = playedSession(
    {},
    { write: () => Promise.reject(new TransportError('lost', 'broken pipe')) },
  );
  void session.emit(ping(1));
  void session.request({ subtype: 'initialize' });
  await vi.waitFor(() => expect(session.pending.size).toBe(0));
  void session.emit(ping(2));
  void session.request({ subtype: 'initialize' });
  control.closed();
  void session.end();
  void session.close();
  // The test run fails on any unhandled rejection; wait so that it can occur.
  await new Promise((resolve) => setTimeout(resolve, 5));
});

test('two sessions over the memory pair exchange requests in both directions', async () => {
  const { host, agent } = createMemoryPair();
  await using left = createSession(host, { handlers: { can_use_tool: () => ({ behavior: 'allow' }) } });
  await using right = createSession(agent, { handlers: { interrupt: () => ({ still_queued: [] }) } });
  await expect(left.request({ subtype: 'interrupt' })).resolves.toEqual({ still_queued: [] });
  await expect(right.request<unknown>({ subtype: 'can_use_tool' })).resolves.toEqual({ behavior: 'allow' });
});
