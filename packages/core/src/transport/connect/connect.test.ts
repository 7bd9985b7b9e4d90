import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { verifies } from '@proto/requirements';
import { encodeBatch } from '../lines/batch.ts';
import { connect, type ConnectOptions, type SessionScheme } from './connect.ts';
import { TransportError } from '../error.ts';
import { incomingMessage } from '../lines/incoming.ts';
import { type Scripted, scripted } from '../scripted-driver.test-support.ts';
import type { Batch, Cursor, Incoming } from '../transport.ts';

const DAY_MS = 86_400_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** One link that was opened, of either kind. */
interface Link extends Scripted {
  readonly name: string;
  readonly uri: string;
  readonly cursor: Cursor | undefined;
  readonly firstAttempt: string | undefined;
  /** What it cannot prove to have delivered. */
  readonly kept: Batch[];
  /** What becomes of a batch in place of being kept. */
  take?: (batch: Batch) => Promise<void>;
  readonly end: (code: 'lost' | 'rejected') => void;
}

interface Options {
  readonly token: string;
  readonly cursor?: Cursor;
  readonly firstAttempt?: string;
}

/** A session with two kinds of links, and all that were opened. */
function open(options: Partial<ConnectOptions<Options>> = {}) {
  const links: Link[] = [];
  const schemeOf = (name: string): SessionScheme<Options> => ({
    name,
    protocols: [`${name}:`],
    sessionUri: ({ host, pathname }) => `${name}://${host}${pathname}`,
    connect(uri, { cursor, firstAttempt }) {
      const kept: Batch[] = [];
      const retained = { batches: () => kept };
      const made = scripted({ retained, write: (batch) => link.take?.(batch) ?? void kept.push(batch) });
      const end = (code: 'lost' | 'rejected') => made.control.closed(new TransportError(code, `${name}: ${code}`));
      const link: Link = { ...made, name, uri, cursor, firstAttempt, kept, end };
      links.push(link);
      return made.transport;
    },
  });
  const transport = connect({
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

test('the preferred kind is used, and asked for the session by an address of its own', async () => {
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
  expect(session.transport.identifies).toBe(true);
  const closing = session.transport.close();
  await settle();
  await closing;
  expect(session.last.calls.at(-1)).toBe('close');
});

verifies('R-33.2', 'a kind that is refused is given up for the next one at once, one that hangs soon', async () => {
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
  // Why the kind that was preferred does not work is told, or nobody would know.
  expect(slow.items).toMatchObject([{ kind: 'link', state: 'down', cause: { code: 'timeout' } }]);
  slow.last.control.opened();
  await slow.transport.opened;
  expect(slow.names).toEqual(['socket', 'stream']);
  await vi.advanceTimersByTimeAsync(1000);
  expect(slow.items.at(-1)).toMatchObject({ kind: 'link', state: 'up', resumed: true });
});

verifies(
  'R-33.2',
  'in the middle of a session as well: behind the last message that came, and with what was not proved to be delivered',
  async () => {
    const session = open({ cursor: '3' });
    session.last.control.opened();
    session.last.control.receive([message(4, { cursor: '4', source: 'worker' }), message(5, { cursor: '5' })]);
    await settle();
    for (const n of [1, 2, 3]) await session.transport.send(sent(n));
    // The first one arrived.
    session.last.kept.shift();
    session.last.end('rejected');
    await settle();
    const late = session.transport.send(sent(9));
    session.last.control.opened();
    await late;
    // What came back by the other way is this side's own; what others say is not.
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

test('a link that is up is told without a message as well, and one that has missed something says so itself', async () => {
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

  // Without numbers nobody knows.
  const bare = open();
  bare.last.control.opened();
  bare.last.control.receive([message(1)]);
  bare.last.end('rejected');
  await settle();
  bare.last.control.opened();
  await vi.advanceTimersByTimeAsync(1000);
  expect(bare.news().at(-1)).toEqual(['up', false]);
});

test('a link that goes down and does not come back in time is given up, one that does is not', async () => {
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

test('while nothing works each kind has its turn, until the time is over; what was refused has none', async () => {
  const session = open({ fallbackAfterMs: 1000, maxOpeningMs: 4000 });
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

test('where the first attempt of each kind finds nobody, that is the end', async () => {
  const session = open();
  session.last.end('lost');
  await settle();
  session.last.end('lost');
  await settle();
  await expect(session.transport.opened).rejects.toMatchObject({ code: 'lost', message: 'stream: lost' });
  expect(session.links.map(({ name, firstAttempt }) => [name, firstAttempt])).toEqual([
    ['socket', 'end'],
    ['stream', 'end'],
  ]);
});

test('a kind that found nobody is not tried again while another one may still find somebody, and is when a link was up', async () => {
  const session = open();
  session.last.end('lost');
  await vi.advanceTimersByTimeAsync(15_000);
  expect(session.names).toEqual(['socket', 'stream']);
  session.last.control.opened();
  await session.transport.opened;
  session.last.end('lost');
  await settle();
  expect(session.links.map(({ name, firstAttempt }) => [name, firstAttempt]).at(-1)).toEqual(['socket', 'retry']);
});

test('for what may be there ahead of its server each kind goes on, in turn', async () => {
  const session = open({ firstAttempt: 'retry' });
  await vi.advanceTimersByTimeAsync(25_000);
  expect(session.links.map(({ name, firstAttempt }) => [name, firstAttempt])).toEqual([
    ['socket', 'retry'],
    ['stream', 'retry'],
    ['socket', 'retry'],
  ]);
});

test('attempts of a link that was never up do not lengthen the time there is for them', async () => {
  const session = open({ firstAttempt: 'retry' });
  const cause = new TransportError('connect-failed', 'nobody');
  for (let second = 0; second < 31; second++) {
    session.last.control.receive([{ kind: 'link', state: 'down', attempt: 2, cause }]);
    await vi.advanceTimersByTimeAsync(1000);
  }
  await expect(session.transport.opened).rejects.toMatchObject({ code: 'timeout' });
});

test('a night of sleep is not spent trying', async () => {
  const session = open({ fallbackAfterMs: 1000, maxDownMs: 10_000 });
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

test('a send that was under way when the link ended goes on over the next one, once', async () => {
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

test('what the next kind refuses of what the last one took is told', async () => {
  const session = open();
  session.last.control.opened();
  await session.transport.send(sent(1));
  session.last.end('rejected');
  await settle();
  session.last.take = () => Promise.reject(new TransportError('rejected', 'stream: refused'));
  session.last.control.opened();
  await vi.advanceTimersByTimeAsync(1000);
  expect(session.items.filter(({ kind }) => kind === 'malformed')).toMatchObject([{ error: { code: 'rejected' } }]);
  // And a message of its own that is refused is its sender's affair.
  const refused = expect(session.transport.send(sent(2))).rejects.toMatchObject({ code: 'rejected' });
  await vi.advanceTimersByTimeAsync(1000);
  await refused;
});

test('a message without an id has one before it is sent for the first time', async () => {
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

test('the next kind goes on behind news that the last one had from the log', async () => {
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

test('the place acknowledged never goes back, over any number of links', async () => {
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

test('what is not proved to have arrived is retained once, behind the end as well', async () => {
  const session = open();
  const retained = () => session.transport.retained.batches().flatMap((batch) => [...batch.messages()]);
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

test('the other side is done: no other link is tried', async () => {
  const session = open();
  session.last.control.opened();
  session.last.control.closed(undefined, { status: 1000 });
  expect(await session.transport.closed).toEqual({ by: 'peer', status: 1000 });
  expect([await session.reading, session.names]).toEqual([undefined, ['socket']]);
});

test('a close while a link is coming up, or between two, is an end', async () => {
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

test('the end of what this side says is said by the link that is there', async () => {
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

test('a name that no scheme has is told, with those there are', () => {
  expect(() => open({ prefer: ['socket', 'pigeon'] })).toThrow('No scheme is called "pigeon" (known: stream, socket)');
  expect(() => open({ prefer: [] })).toThrow(TransportError);
});
