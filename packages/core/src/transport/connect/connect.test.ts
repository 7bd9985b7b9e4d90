import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { verifies } from '@proto/test-support/verifies';
import { encodeBatch } from '../lines/batch.ts';
import { connectSession, type ConnectSessionOptions, type SessionScheme } from './connect.ts';
import { TransportError } from '../error.ts';
import { incomingMessage } from '../lines/incoming.ts';
import { type Scripted, scripted } from '../scripted-driver.test-support.ts';
import type { Batch, Cursor, Incoming } from '../transport.ts';

const DAY_MS = 86_400_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** One opened link, of either kind. */
interface Link extends Scripted {
  readonly name: string;
  readonly uri: string;
  readonly cursor: Cursor | undefined;
  readonly retryFirstConnect: boolean | undefined;
  /** The batches whose delivery the link cannot prove. */
  readonly kept: Batch[];
  /** Handles a batch instead of keeping it. */
  take?: (batch: Batch) => Promise<void>;
  readonly end: (code: 'lost' | 'rejected') => void;
}

interface Options {
  readonly token: string;
  readonly cursor?: Cursor;
  readonly retryFirstConnect?: boolean;
}

/** A session with two kinds of links, and all links that were opened. */
function open(options: Partial<ConnectSessionOptions<Options>> = {}) {
  const links: Link[] = [];
  const schemeOf = (name: string): SessionScheme<Options> => ({
    name,
    protocols: [`${name}:`],
    sessionUri: ({ host, pathname }) => `${name}://${host}${pathname}`,
    connect(uri, { cursor, retryFirstConnect }) {
      const kept: Batch[] = [];
      const unacknowledged = { batches: () => kept };
      const made = scripted({ unacknowledged, write: (batch) => link.take?.(batch) ?? void kept.push(batch) });
      const end = (code: 'lost' | 'rejected') => made.control.closed(new TransportError(code, `${name}: ${code}`));
      const link: Link = { ...made, name, uri, cursor, retryFirstConnect, kept, end };
      links.push(link);
      return made.transport;
    },
  });
  const transport = connectSession({
    url: 'https://host/v1/code/sessions/cse_1',
    prefer: ['socket', 'stream'],
    schemes: [schemeOf('stream'), schemeOf('socket')],
    options: { token: 't' },
    ...options,
  });
  const items: Incoming[] = [];
  const reading = (async () => {
    for await (const some of transport.incoming) items.push(...some);
  })().catch((error: unknown) => error);
  return {
    transport,
    links,
    items,
    reading,
    get last() {
      return links.at(-1) as Link;
    },
    get names() {
      return links.map(({ name }) => name);
    },
    texts: () => items.flatMap((item) => (item.kind === 'message' ? [item.text] : [])),
    news: () => items.flatMap((item) => (item.kind === 'link' ? [[item.state, item.resumed]] : [])),
  };
}

const settle = () => vi.advanceTimersByTimeAsync(0);
const message = (n: number, more: { cursor?: Cursor; source?: string } = {}) =>
  incomingMessage(JSON.stringify({ type: 'n', uuid: `u${n}` }), more);
const sent = (n: number) => encodeBatch({ type: 'n', n: `u${n}`, uuid: `u${n}` });
const written = ({ calls }: Scripted) =>
  calls.filter((call) => call.startsWith('write')).map((call) => call.slice('write '.length));

test('connect uses the preferred kind, at the session address of that kind', async () => {
  const session = open();
  session.last.control.opened();
  await session.transport.opened;
  await session.transport.send(sent(1));
  session.last.control.receive([message(2)]);
  await settle();
  expect(session.links.map(({ uri, cursor }) => [uri, cursor])).toEqual([
    ['socket://host/v1/code/sessions/cse_1', undefined],
  ]);
  expect([written(session.last), session.texts(), session.news()]).toEqual([['u1'], [message(2).text], []]);
  expect(session.transport.hasMessageIds).toBe(true);
  const closing = session.transport.close();
  await settle();
  await closing;
  expect(session.last.calls.at(-1)).toBe('close');
});

verifies('LINK-20', 'connect replaces a kind that refuses at once, and a kind that hangs soon', async () => {
  const refused = open();
  const waiting = refused.transport.send(sent(1));
  refused.last.end('rejected');
  await settle();
  expect(refused.names).toEqual(['socket', 'stream']);
  refused.last.control.opened();
  await waiting;
  expect(written(refused.last)).toEqual(['u1']);
  expect(refused.news()).toEqual([]);

  const slow = open({ fallbackAfterMs: 3000 });
  await vi.advanceTimersByTimeAsync(2999);
  expect(slow.names).toEqual(['socket']);
  await vi.advanceTimersByTimeAsync(1);
  expect(slow.links[0]?.calls).toEqual(['abort']);
  // The items report why the preferred kind does not work; otherwise nobody would know.
  expect(slow.items).toMatchObject([{ kind: 'link', state: 'down', cause: { code: 'timeout' } }]);
  slow.last.control.opened();
  await slow.transport.opened;
  expect(slow.names).toEqual(['socket', 'stream']);
  await vi.advanceTimersByTimeAsync(1000);
  expect(slow.items.at(-1)).toMatchObject({ kind: 'link', state: 'up', resumed: true });
});

verifies(
  'LINK-20',
  'connect also changes the kind within a session: it resumes after the last message and resends unconfirmed messages',
  async () => {
    const session = open({ cursor: '3' });
    session.last.control.opened();
    session.last.control.receive([message(4, { cursor: '4', source: 'worker' }), message(5, { cursor: '5' })]);
    await settle();
    for (const n of [1, 2, 3]) await session.transport.send(sent(n));
    // The first message arrived.
    session.last.kept.shift();
    session.last.end('rejected');
    await settle();
    const late = session.transport.send(sent(9));
    session.last.control.opened();
    await late;
    // The session drops its own messages that return over the other link, and keeps the messages of others.
    session.last.control.receive([
      message(2, { cursor: '6', source: 'client' }),
      message(7, { cursor: '7', source: 'client' }),
      message(8, { cursor: '8', source: 'worker' }),
    ]);
    await settle();
    expect(session.links.map(({ name, cursor }) => [name, cursor])).toEqual([
      ['socket', '3'],
      ['stream', '5'],
    ]);
    expect(written(session.last)).toEqual(['u2', 'u3', 'u9']);
    expect(session.texts()).toEqual([4, 5, 7, 8].map((n) => message(n).text));
    expect(session.news()).toEqual([
      ['down', undefined],
      ['up', true],
    ]);
  },
);

test('a new link is reported as up even without a message, and reports its own loss of messages', async () => {
  const session = open();
  session.last.control.opened();
  session.last.control.receive([message(1, { cursor: '1' })]);
  session.last.end('rejected');
  await settle();
  session.last.control.opened();
  await settle();
  expect(session.news()).toEqual([['down', undefined]]);
  await vi.advanceTimersByTimeAsync(1000);
  expect(session.news().at(-1)).toEqual(['up', true]);

  const other = open();
  other.last.control.opened();
  other.last.control.receive([message(1, { cursor: '1' })]);
  other.last.end('rejected');
  await settle();
  other.last.control.opened();
  other.last.control.receive([{ kind: 'link', state: 'up', attempt: 1, resumed: false }]);
  await vi.advanceTimersByTimeAsync(1000);
  expect(other.news()).toEqual([
    ['down', undefined],
    ['up', false],
  ]);

  // Without cursors, the session cannot know whether it missed messages.
  const bare = open();
  bare.last.control.opened();
  bare.last.control.receive([message(1)]);
  bare.last.end('rejected');
  await settle();
  bare.last.control.opened();
  await vi.advanceTimersByTimeAsync(1000);
  expect(bare.news().at(-1)).toEqual(['up', false]);
});

test('a link that is down for too long is replaced, and a link that recovers in time is kept', async () => {
  const session = open({ fallbackAfterMs: 1000 });
  session.last.control.opened();
  const cause = new TransportError('lost', 'socket: lost');
  session.last.control.receive([{ kind: 'link', state: 'down', attempt: 1, cause }]);
  await vi.advanceTimersByTimeAsync(900);
  session.last.control.receive([{ kind: 'link', state: 'up', attempt: 1, resumed: true }]);
  await vi.advanceTimersByTimeAsync(5000);
  expect(session.names).toEqual(['socket']);
  session.last.control.receive([{ kind: 'link', state: 'down', attempt: 1, cause }]);
  await vi.advanceTimersByTimeAsync(1000);
  expect(session.names).toEqual(['socket', 'stream']);
  session.last.control.opened();
  await vi.advanceTimersByTimeAsync(1000);
  expect(session.news()).toEqual([
    ['down', undefined],
    ['up', true],
    ['down', undefined],
    ['up', true],
  ]);
});

test('while no kind works, each has its turn until the time is over, except a kind that was refused', async () => {
  const session = open({ fallbackAfterMs: 1000, connectDeadlineMs: 4000 });
  await vi.advanceTimersByTimeAsync(4000);
  expect(session.names).toEqual(['socket', 'stream', 'socket', 'stream']);
  await expect(session.transport.opened).rejects.toMatchObject({ code: 'timeout' });

  const refused = open();
  refused.last.end('rejected');
  await settle();
  refused.last.end('rejected');
  await settle();
  expect(refused.names).toEqual(['socket', 'stream']);
  expect((await refused.transport.closed).error).toMatchObject({ code: 'rejected', message: 'stream: rejected' });
});

test('connect fails if the first attempt of each kind reaches no server', async () => {
  const session = open();
  session.last.end('lost');
  await settle();
  session.last.end('lost');
  await settle();
  await expect(session.transport.opened).rejects.toMatchObject({ code: 'lost', message: 'stream: lost' });
  expect(session.links.map(({ name, retryFirstConnect }) => [name, retryFirstConnect])).toEqual([
    ['socket', false],
    ['stream', false],
  ]);
});

test('a kind that reached no server is skipped until another kind had a link', async () => {
  const session = open();
  session.last.end('lost');
  await vi.advanceTimersByTimeAsync(15_000);
  expect(session.names).toEqual(['socket', 'stream']);
  session.last.control.opened();
  await session.transport.opened;
  session.last.end('lost');
  await settle();
  expect(session.links.map(({ name, retryFirstConnect }) => [name, retryFirstConnect]).at(-1)).toEqual([
    'socket',
    true,
  ]);
});

test('with `retryFirstConnect` each kind is tried in turn until a server appears', async () => {
  const session = open({ retryFirstConnect: true });
  await vi.advanceTimersByTimeAsync(25_000);
  expect(session.links.map(({ name, retryFirstConnect }) => [name, retryFirstConnect])).toEqual([
    ['socket', true],
    ['stream', true],
    ['socket', true],
  ]);
});

test('attempts of a link that was never up do not extend the time for opening', async () => {
  const session = open({ retryFirstConnect: true });
  const cause = new TransportError('connect-failed', 'nobody');
  for (let second = 0; second < 31; second++) {
    session.last.control.receive([{ kind: 'link', state: 'down', attempt: 2, cause }]);
    await vi.advanceTimersByTimeAsync(1000);
  }
  await expect(session.transport.opened).rejects.toMatchObject({ code: 'timeout' });
});

test('the time while the machine sleeps does not count as time of trying', async () => {
  const session = open({ fallbackAfterMs: 1000, reconnectDeadlineMs: 10_000 });
  session.last.control.opened();
  const cause = new TransportError('lost', 'socket: lost');
  session.last.control.receive([{ kind: 'link', state: 'down', attempt: 1, cause }]);
  await settle();
  vi.setSystemTime(Date.now() + DAY_MS);
  await vi.advanceTimersByTimeAsync(1500);
  expect(session.names).toEqual(['socket']);
  await vi.advanceTimersByTimeAsync(3000);
  expect(session.names.length).toBeGreaterThan(2);
  await vi.advanceTimersByTimeAsync(10_000);
  expect((await session.transport.closed).error).toMatchObject({ code: 'timeout' });
});

test('a send that was pending when the link ended is sent once over the next link', async () => {
  const session = open();
  session.last.control.opened();
  await settle();
  const first = session.last;
  first.take = () => new Promise(() => {});
  const pending = session.transport.send(sent(1));
  await settle();
  first.end('rejected');
  await settle();
  session.last.control.opened();
  await vi.advanceTimersByTimeAsync(1000);
  await pending;
  expect(written(session.last)).toEqual(['u1']);
});

test('a message that the next kind refuses after the last kind had accepted it is reported', async () => {
  const session = open();
  session.last.control.opened();
  await session.transport.send(sent(1));
  session.last.end('rejected');
  await settle();
  session.last.take = () => Promise.reject(new TransportError('rejected', 'stream: refused'));
  session.last.control.opened();
  await vi.advanceTimersByTimeAsync(1000);
  expect(session.items.filter(({ kind }) => kind === 'malformed')).toMatchObject([{ error: { code: 'rejected' } }]);
  // A refused message of the new link rejects for its sender.
  const refused = expect(session.transport.send(sent(2))).rejects.toMatchObject({ code: 'rejected' });
  await vi.advanceTimersByTimeAsync(1000);
  await refused;
});

test('a message without an id gets one before it is first sent', async () => {
  const session = open();
  session.last.control.opened();
  await session.transport.send(encodeBatch({ type: 'n' }));
  session.last.end('rejected');
  await settle();
  session.last.control.opened();
  await settle();
  const [first, second] = session.links.map(({ kept }) => kept[0]?.text);
  expect(second).toBe(first);
  expect(first).toMatch(/"uuid":"[0-9a-f-]{36}"/);
});

test('the next kind resumes after notices that the last kind received with a cursor', async () => {
  const session = open();
  session.last.control.opened();
  const notice = { kind: 'notice', event: 'control_resolved', data: {}, cursor: '3' } as const;
  session.last.control.receive([message(2, { cursor: '2', source: 'worker' }), notice]);
  await settle();
  session.last.end('rejected');
  await settle();
  expect(session.last.cursor).toBe('3');
  expect(session.items[1]).toBe(notice);
  session.transport.resumption.acknowledge('3');
  expect(session.transport.resumption.cursor).toBe('3');
});

test('the acknowledged cursor never moves back, over any number of links', async () => {
  const session = open({ cursor: '1' });
  const { resumption } = session.transport;
  session.last.control.opened();
  session.last.control.receive([message(2, { cursor: '2' }), message(3, { cursor: '3' }), message(4, { cursor: '4' })]);
  await settle();
  expect(resumption.cursor).toBe('1');
  resumption.acknowledge('3');
  resumption.acknowledge('2');
  resumption.acknowledge('of nobody');
  expect(resumption.cursor).toBe('3');
  session.last.end('rejected');
  await settle();
  expect([session.last.cursor, resumption.cursor]).toEqual(['4', '3']);
});

test('a message without proof of delivery is retained once, also after the end', async () => {
  const session = open();
  const retained = () => session.transport.unacknowledged.batches().flatMap((batch) => [...batch.messages()]);
  const once = [expect.objectContaining({ id: 'u1' })];
  session.last.control.opened();
  await session.transport.send(sent(1));
  expect(retained()).toEqual(once);
  session.last.end('rejected');
  await settle();
  expect(retained()).toEqual(once);
  session.last.control.opened();
  await settle();
  expect(retained()).toEqual(once);
  session.last.end('rejected');
  await session.transport.closed;
  expect([session.names, retained()]).toEqual([['socket', 'stream'], once]);
});

test('connect opens no other link after the peer has closed the session', async () => {
  const session = open();
  session.last.control.opened();
  session.last.control.closed(undefined, { status: 1000 });
  expect(await session.transport.closed).toEqual({ by: 'peer', status: 1000 });
  expect([await session.reading, session.names]).toEqual([undefined, ['socket']]);
});

test('close ends the session while a link opens, and abort ends it between two links', async () => {
  const opening = open();
  const closing = opening.transport.close();
  await settle();
  await closing;
  expect(opening.names).toEqual(['socket']);

  const between = open();
  between.last.control.opened();
  await settle();
  between.last.end('rejected');
  await settle();
  between.transport.abort();
  await between.transport.closed;
  expect(between.names).toEqual(['socket', 'stream']);
});

test('end is sent over the current link, and again over the next one', async () => {
  const session = open();
  session.last.control.opened();
  await session.transport.send(sent(1));
  await session.transport.end();
  expect(session.last.calls.at(-1)).toBe('end');
  session.last.end('rejected');
  await settle();
  session.last.control.opened();
  await settle();
  expect(session.last.calls.map((call) => call.slice(0, 5))).toEqual(['write', 'end']);
});

test('the error for an unknown scheme name lists the known names', () => {
  expect(() => open({ prefer: ['socket', 'pigeon'] })).toThrow('unknown scheme "pigeon" (known: stream, socket)');
  expect(() => open({ prefer: [] })).toThrow(TransportError);
});
