import { verifies } from '@proto/requirements';
import { describe, expect, test, vi } from 'vitest';
import type { WireMessage } from '../framing/parse-line.ts';
import { defineTransport } from '../transport/define-transport.ts';
import { TransportError } from '../transport/error.ts';
import { incomingLines, incomingMessage } from '../transport/incoming.ts';
import { createMemoryPair } from '../transport/memory.ts';
import type { Batch, Incoming, TransportControl, TransportDriver } from '../transport/transport.ts';
import type { RequestHandler } from './request-handlers.ts';
import { createSession } from './session.ts';
import type { Session, SessionOptions } from './session-options.ts';
import type { SessionItem } from './unread.ts';

const ping = (n: number): WireMessage => ({ type: 'ping', n });
const request = (request_id: string, subtype: string): WireMessage => ({
  type: 'control_request',
  request_id,
  request: { subtype },
});
const cancel = (request_id: string): WireMessage => ({ type: 'control_cancel_request', request_id });

/** A session whose medium is played by the test. */
function setUp(options: SessionOptions = {}, driver: Partial<TransportDriver> = {}, identifies = false) {
  let control!: TransportControl;
  const sent: WireMessage[] = [];
  const batches: Batch[] = [];
  const transport = defineTransport(
    'test',
    (given) => {
      control = given;
      given.opened();
      return {
        write(batch) {
          batches.push(batch);
          for (const { text } of batch.messages()) sent.push(JSON.parse(text));
        },
        close: () => given.closed(),
        abort: () => given.closed(),
        ...driver,
      };
    },
    { identifies, maxIncomingBytes: 10 },
  );
  const session = createSession(transport, options);
  const receive = (...messages: object[]) =>
    control.receive(messages.map((message) => incomingMessage(JSON.stringify(message))));
  return {
    session,
    control,
    sent,
    batches,
    receive,
    receiveItems: (items: readonly Incoming[]) => control.receive(items),
  };
}

async function readAll(session: Session): Promise<SessionItem[]> {
  const items: SessionItem[] = [];
  for await (const item of session) items.push(item);
  return items;
}

const messagesOf = (items: readonly SessionItem[]) =>
  items.map((item) => (item.kind === 'message' ? item.message : item.kind));

describe('reading', () => {
  verifies('S2-04', 'gives messages in order, and nothing of the control traffic or of signs of life', async () => {
    const { session, control, receive } = setUp();
    receive(ping(1), { type: 'keep_alive' }, request('r1', 'nothing'), ping(2));
    receive(cancel('r1'), { type: 'control_response', response: { subtype: 'success', request_id: 'x' } }, ping(3));
    control.ended();
    expect(messagesOf(await readAll(session))).toEqual([ping(1), ping(2), ping(3)]);
  });

  test('tells what is no message in its place, and goes on', async () => {
    const { session, control, receiveItems, receive } = setUp();
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

  verifies('S2-09', 'gives assistant and system lines of the host as they are', async () => {
    const { session, control, receive } = setUp();
    const lines = [
      { type: 'assistant', message: { content: [{ type: 'new', x: [null] }] } },
      { type: 'system', subtype: 'new' },
    ];
    receive(...lines);
    control.ended();
    expect(messagesOf(await readAll(session))).toEqual(lines);
  });

  test('ends with the peer, and throws when the link broke, behind what had arrived', async () => {
    const { session, control, receive } = setUp();
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

  test('is for one consumer, who closes the session by leaving', async () => {
    const { session, receive } = setUp();
    receive(ping(1), ping(2));
    for await (const _ of session) break;
    await expect(session.closed).resolves.toEqual({ by: 'local' });
    expect(() => session[Symbol.asyncIterator]()).toThrow(TypeError);
  });

  test('acknowledges a cursor when its message is handed out, with the control frames behind it', async () => {
    const acknowledged: string[] = [];
    const resumption = { cursor: undefined, acknowledge: (cursor: string) => void acknowledged.push(cursor) };
    const { session, receiveItems } = setUp({}, { resumption });
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

describe('with a check', () => {
  const validate: SessionOptions['validate'] = (message) => {
    if (message['n'] === 'broken') throw new Error('not mine');
    if (typeof message['n'] === 'string') return { issues: [{ path: ['n'], message: 'not a number' }] };
    const { extra, ...rest } = message;
    return extra === undefined ? { message } : { message: rest, dropped: [{ path: ['extra'], message: 'no' }] };
  };

  test('messages are handed on as it gives them, and what it refuses is told in its place', async () => {
    const { session, control, receive } = setUp({ validate });
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

  test('control traffic is not its business', async () => {
    const check = vi.fn(validate);
    const { sent, receive } = setUp({ validate: check, handlers: { mode: () => 'plan' } });
    receive(request('r1', 'mode'), { type: 'keep_alive' });
    await vi.waitFor(() => expect(sent).toHaveLength(1));
    expect(check).not.toHaveBeenCalled();
  });
});

describe('control traffic', () => {
  test('is served when it comes, ahead of messages nobody has read', async () => {
    const { sent, receive } = setUp({ handlers: { mode: () => 'plan' } });
    receive(ping(1), ping(2), request('r1', 'mode'), request('r2', 'unknown'));
    await vi.waitFor(() => expect(sent).toHaveLength(2));
    expect(sent[0]).toMatchObject({ response: { subtype: 'success', request_id: 'r1', response: 'plan' } });
    expect(sent[1]).toMatchObject({
      response: { subtype: 'error', request_id: 'r2', error_code: 'unsupported_request' },
    });
  });

  test('is served while an answer is awaited', async () => {
    const { session, sent, receive } = setUp({ handlers: { mode: () => 'plan' } });
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

  test('a cancel overtakes: what it takes back in the same batch never begins, what runs is aborted first', async () => {
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
    const { receive } = setUp({ handlers: { wait } });
    const ask = (id: string) => ({ type: 'control_request', request_id: id, request: { subtype: 'wait', name: id } });
    receive(ask('a'));
    await vi.waitFor(() => expect(log).toEqual(['begin a']));
    receive(ask('b'), ask('c'), cancel('b'), cancel('a'), ask('b'));
    await vi.waitFor(() => expect(log).toContain('begin c'));
    expect(log).toEqual(['begin a', 'abort a', 'begin c', 'begin b']);
  });

  test('a batch of requests and as many cancels takes no time beyond that of its size', async () => {
    const { receive, sent } = setUp({ handlers: { wait: () => new Promise(() => {}) } });
    const ids = Array.from({ length: 40_000 }, (_, n) => `r${n}`);
    // A search for each cancel takes 13 s, of which the test has 5.
    receive(...ids.map((id) => request(id, 'wait')), ...ids.map(cancel), request('last', 'unheard_of'));
    await vi.waitFor(() => expect(sent).toHaveLength(1));
  });

  test('an answer is told with what it was, and what is thrown there does not touch the link', async () => {
    const thrown: unknown[] = [];
    const onThrown = (error: unknown) => thrown.push(error);
    process.once('uncaughtException', onThrown);
    const listeners = process.listeners('uncaughtException').filter((listener) => listener !== onThrown);
    for (const listener of listeners) process.off('uncaughtException', listener);
    const mistake = new Error('mine');
    const onResponse = vi.fn(() => {
      throw mistake;
    });
    const { session, receive } = setUp({ onResponse });
    receive({ type: 'control_response', response: { subtype: 'success', request_id: 'never' } }, ping(1));
    await expect(session[Symbol.asyncIterator]().next()).resolves.toMatchObject({ value: { message: ping(1) } });
    await vi.waitFor(() => expect(thrown).toEqual([mistake]));
    for (const listener of listeners) process.on('uncaughtException', listener);
    expect(onResponse.mock.calls).toEqual([[expect.objectContaining({ type: 'control_response' }), 'unknown']]);
  });

  verifies('S2-02', 'is understood with ids in camel case, and answered with those of the wire', async () => {
    const { sent, receive } = setUp({ handlers: { mode: () => 'plan' } });
    receive({ type: 'control_request', requestId: 'r1', request: { subtype: 'mode' } });
    await vi.waitFor(() => expect(sent).toHaveLength(1));
    const response = { subtype: 'success', request_id: 'r1', response: 'plan' };
    expect(sent).toEqual([{ type: 'control_response', response }]);
  });

  verifies(
    'S2-11',
    'shares one queue with the messages: a request never overtakes what was emitted before it',
    async () => {
      const { host, agent } = createMemoryPair();
      const sender = createSession(agent);
      for (let n = 0; n < 500; n++) void sender.emit({ type: 'stream_event', n, text: 'x'.repeat(n) });
      void sender.request({ subtype: 'can_use_tool' }).catch(() => {});
      void sender.emit({ type: 'result' });
      const types: string[] = [];
      for await (const items of host.incoming) {
        for (const item of items) if (item.kind === 'message') types.push(String(item.read().message?.type));
        if (types.includes('result')) break;
      }
      expect(types).toEqual([...Array.from({ length: 500 }, () => 'stream_event'), 'control_request', 'result']);
    },
  );

  verifies('S2-13', 'a cancel goes behind what is queued, not around it', async () => {
    const { session, sent } = setUp();
    const controller = new AbortController();
    const answer = session.request({ subtype: 'initialize' }, { signal: controller.signal });
    void session.emit(ping(1));
    controller.abort();
    void session.emit(ping(2));
    await expect(answer).rejects.toMatchObject({ name: 'AbortError' });
    await vi.waitFor(() => expect(sent).toHaveLength(4));
    expect(sent.map(({ type }) => type)).toEqual(['control_request', 'ping', 'control_cancel_request', 'ping']);
  });

  verifies('S2-14', 'the answer that comes after an abort is not taken for new work', async () => {
    const onResponse = vi.fn();
    const { session, sent, receive } = setUp({ onResponse });
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

describe('writing', () => {
  test('gives messages an id where the transport identifies them, and none elsewhere', async () => {
    const ids = async (identifies: boolean) => {
      const { session, batches } = setUp({}, {}, identifies);
      await session.emit({ type: 'ping', uuid: 'u1' });
      await vi.waitFor(() => expect(batches).toHaveLength(1));
      return Array.from(batches[0]?.messages() ?? [], ({ id }) => id);
    };
    expect(await ids(true)).toEqual(['u1']);
    expect(await ids(false)).toEqual([undefined]);
  });

  test('gives control frames an id of their own there', async () => {
    const { session, batches } = setUp({}, {}, true);
    void session.request({ subtype: 'initialize' });
    await vi.waitFor(() => expect(batches).toHaveLength(1));
    const [sent] = batches[0]?.messages() ?? [];
    expect(sent?.id).toMatch(/^[0-9a-f-]{36}$/);
    expect(JSON.parse(sent?.text ?? '')).toMatchObject({ type: 'control_request', uuid: sent?.id });
  });

  verifies('S2-63', 'escapes line separators in every kind of frame', async () => {
    const separators = 'a\u2028b\u2029c';
    const texts: string[] = [];
    const write = (batch: Batch) => void texts.push(batch.text);
    const { session, receive } = setUp({ handlers: { tell: () => separators } }, { write });
    void session.emit({ type: 'ping', separators });
    void session.request({ subtype: 'initialize', separators }).catch(() => {});
    receive(request('r1', 'tell'));
    await vi.waitFor(() => expect(texts.join('').split('\n')).toHaveLength(4));
    expect(texts.join('')).not.toMatch(/[\u2028\u2029]/);
    expect(texts.join('').match(/\\u2028/g)).toHaveLength(3);
  });

  test('fails with the link, and so does all that waits for an answer', async () => {
    const broken = new TransportError('lost', 'broken pipe');
    const { session, receive, control } = setUp({}, { write: () => Promise.reject(broken) });
    await expect(session.request({ subtype: 'initialize' })).rejects.toBe(broken);
    await expect(session.emit(ping(1))).rejects.toMatchObject({ code: 'closed', cause: broken });
    // The peer may have said more before it went.
    receive(ping(2));
    control.ended();
    expect(messagesOf(await readAll(session))).toEqual([ping(2)]);
  });
});

describe('the end', () => {
  test('of the input rejects what waits for an answer, cleanly or with what broke the link', async () => {
    const clean = setUp();
    const unanswered = clean.session.request({ subtype: 'initialize' });
    clean.control.ended();
    await expect(unanswered).rejects.toMatchObject({ code: 'closed' });

    const cut = setUp();
    const lost = new TransportError('lost', 'gone');
    const other = cut.session.request({ subtype: 'initialize' });
    cut.control.closed(lost);
    await expect(other).rejects.toBe(lost);
    expect(cut.session.pending.size).toBe(0);
    await expect(cut.session.request({ subtype: 'initialize' })).rejects.toMatchObject({ code: 'closed', cause: lost });
  });

  verifies('S0-71', 'waits for control requests that are still being answered', async () => {
    let answer: (payload: unknown) => void = () => {};
    const ended = vi.fn();
    const slow = () => new Promise((resolve) => (answer = resolve));
    const { session, sent, receive } = setUp({ handlers: { slow } }, { end: ended });
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

  test('waits for no handler when the link breaks', async () => {
    const { session, control, receive } = setUp({ handlers: { deaf: () => new Promise(() => {}) } });
    receive(request('r1', 'deaf'), ping(1));
    await session[Symbol.asyncIterator]().next();
    const end = session.end();
    control.closed(new TransportError('lost', 'gone'));
    await expect(end).resolves.toBeUndefined();
  });

  test('closes with the input, also when writing has failed', async () => {
    const { session, control } = setUp({}, { write: () => Promise.reject(new Error('EPIPE')) });
    await expect(session.request({ subtype: 'initialize' })).rejects.toMatchObject({ code: 'lost' });
    await session.end();
    control.ended();
    await expect(session.closed).resolves.toBeDefined();
  });

  test('by close writes what is queued, aborts what is served and answers it no more', async () => {
    const aborted = vi.fn();
    const slow: RequestHandler = (_, { signal }) => new Promise(() => signal.addEventListener('abort', aborted));
    const { session, sent, receive } = setUp({ handlers: { slow } });
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

  test('by abort settles everything with the reason as the cause', async () => {
    const reason = new Error('enough');
    const { session } = setUp({}, { write: () => new Promise(() => {}) });
    const answer = session.request({ subtype: 'initialize' });
    const next = session[Symbol.asyncIterator]().next();
    session.abort(reason);
    await expect(answer).rejects.toMatchObject({ code: 'aborted', cause: reason });
    await expect(next).rejects.toMatchObject({ code: 'aborted', cause: reason });
    await expect(session.closed).resolves.toMatchObject({ by: 'local', error: { code: 'aborted' } });
  });
});

test('what nobody waits for ends quietly: no rejection goes astray', async () => {
  const { session, control } = setUp({}, { write: () => Promise.reject(new TransportError('lost', 'broken pipe')) });
  void session.emit(ping(1));
  void session.request({ subtype: 'initialize' });
  await vi.waitFor(() => expect(session.pending.size).toBe(0));
  void session.emit(ping(2));
  void session.request({ subtype: 'initialize' });
  control.closed();
  void session.end();
  void session.close();
  // The run fails on any unhandled rejection; give one the time to show.
  await new Promise((resolve) => setTimeout(resolve, 5));
});

describe('an application that does not read', () => {
  test('of messages without text has a limit too', async () => {
    const { session, receive } = setUp({ maxUnreadBytes: 100, maxBufferedBytes: 1000 });
    const answer = session.request({ subtype: 'initialize' });
    receive(...Array.from({ length: 20 }, () => ({ type: '' })));
    await expect(answer).rejects.toMatchObject({ code: 'overflow' });
  });

  const big = { type: 'big', text: 'x'.repeat(100) };

  test('pauses the transport while nothing is waited for, and reading resumes it', async () => {
    const pause = vi.fn();
    const resume = vi.fn();
    const { session, receive } = setUp({ maxUnreadBytes: 50 }, { pause, resume });
    receive(big);
    await new Promise((resolve) => setImmediate(resolve));
    receive(big);
    await vi.waitFor(() => expect(pause).toHaveBeenCalledTimes(1));
    const items = session[Symbol.asyncIterator]();
    await items.next();
    await vi.waitFor(() => expect(resume).toHaveBeenCalledTimes(1));
    await expect(items.next()).resolves.toMatchObject({ value: { message: big } });
  });

  test('does not keep an answer from coming: a request lets reading go on', async () => {
    const { session, sent, receive } = setUp({ maxUnreadBytes: 50 });
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

  test('ends the session with overflow when it may not pause and the limit is reached', async () => {
    const { session, receive } = setUp({ maxUnreadBytes: 50, maxBufferedBytes: 500 });
    const answer = session.request({ subtype: 'initialize' });
    receive(big, big, big);
    await expect(answer).rejects.toMatchObject({ code: 'overflow' });
    const items = session[Symbol.asyncIterator]();
    for (let n = 0; n < 3; n++) await expect(items.next()).resolves.toMatchObject({ value: { message: big } });
    await expect(items.next()).rejects.toMatchObject({
      code: 'overflow',
      message: expect.stringContaining('maxBufferedBytes'),
    });
  });
});

describe('a peer that does not read', () => {
  const stuck = { write: () => new Promise<void>(() => {}) };
  const tick = () => new Promise((resolve) => setImmediate(resolve));

  /** A medium that takes one batch, and the next when the peer has read. */
  function slow() {
    const waiting: (() => void)[] = [];
    return {
      write: () => new Promise<void>((resolve) => waiting.push(resolve)),
      readOne: () => waiting.shift()?.(),
    };
  }

  test('is served until its answers fill the stream once more, and further when it has read', async () => {
    const served: string[] = [];
    const work: RequestHandler = (_, { requestId }) => {
      served.push(String(requestId));
      return 'x'.repeat(500);
    };
    const { write, readOne } = slow();
    const pause = vi.fn();
    const options = { handlers: { work }, outbound: { highWaterMarkBytes: 2000 } };
    const { receive, session } = setUp({ ...options, maxUnreadBytes: 2000 }, { write, pause });
    await session.emit(ping(0));
    await tick();
    for (let n = 1; n <= 100; n++) receive(request(`r${n}`, 'work'));
    await vi.waitFor(() => expect(pause).toHaveBeenCalled());
    const begun = served.length;
    expect(begun).toBeLessThan(10);
    expect(session.outbound.bytes).toBeLessThan(6000);
    await tick();
    // Not taken from the transport before those in front of it are served.
    receive(request('r101', 'work'));
    while (served.length < 101) {
      readOne();
      await tick();
    }
    expect(served).toEqual(Array.from({ length: 101 }, (_, n) => `r${n + 1}`));
  });

  test('has one request served at once, however much waits for it', async () => {
    const interrupt = vi.fn();
    const { receive, session } = setUp({ handlers: { interrupt }, outbound: { highWaterMarkBytes: 10 } }, stuck);
    for (let n = 0; n < 100; n++) void session.emit(ping(n));
    await tick();
    for (let n = 0; n < 100; n++) void session.emit(ping(n));
    receive(request('r1', 'interrupt'));
    await tick();
    expect(interrupt).toHaveBeenCalledTimes(1);
  });

  test('may take back what waits to be served', async () => {
    const work = vi.fn(() => 'x'.repeat(50));
    const { write, readOne } = slow();
    const { receive, session } = setUp({ handlers: { work }, outbound: { highWaterMarkBytes: 10 } }, { write });
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

  test('ends the session with overflow when what it is to read passes the limit', async () => {
    const { session } = setUp({ outbound: { highWaterMarkBytes: 10, maxOutboundBytes: 1000 } }, stuck);
    const answer = session.request({ subtype: 'initialize' });
    await tick();
    for (let n = 0; n < 100; n++) void session.emit({ type: 'ping', text: 'x'.repeat(50) });
    await expect(answer).rejects.toMatchObject({ code: 'overflow' });
    await expect(session[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: 'overflow' });
    await expect(session.closed).resolves.toMatchObject({ by: 'local', error: { cause: { code: 'overflow' } } });
  });

  test('ends the session with overflow when it may not pause and its requests reach the limit', async () => {
    const options = { handlers: { work: () => 'x'.repeat(50) }, outbound: { highWaterMarkBytes: 10 } };
    const { session, receive } = setUp({ ...options, maxUnreadBytes: 500, maxBufferedBytes: 5000 }, stuck);
    const answer = session.request({ subtype: 'initialize' });
    await tick();
    for (let n = 0; n < 100; n++) receive(request(`r${n}`, 'work'));
    await expect(answer).rejects.toMatchObject({ code: 'overflow' });
  });
});

test('two peers that flood each other with requests both get their answers', async () => {
  const { host, agent } = createMemoryPair({ maxIncomingBytes: 1000 });
  const options: SessionOptions = { handlers: { work: () => 'x'.repeat(100) }, outbound: { highWaterMarkBytes: 500 } };
  const sessions = [host, agent].map((transport) => createSession(transport, { ...options, maxUnreadBytes: 1000 }));
  const answers = sessions.flatMap((session) =>
    Array.from({ length: 200 }, () => session.request({ subtype: 'work', text: 'x'.repeat(100) })),
  );
  expect(await Promise.all(answers)).toEqual(answers.map(() => 'x'.repeat(100)));
  await Promise.all(sessions.map((session) => session.close()));
});

test('two sessions over the memory pair talk both ways', async () => {
  const { host, agent } = createMemoryPair();
  await using left = createSession(host, { handlers: { can_use_tool: () => ({ behavior: 'allow' }) } });
  await using right = createSession(agent, { handlers: { initialize: () => ({ commands: [] }) } });
  await expect(left.request({ subtype: 'initialize' })).resolves.toEqual({ commands: [] });
  await expect(right.request({ subtype: 'can_use_tool' })).resolves.toEqual({ behavior: 'allow' });
});
