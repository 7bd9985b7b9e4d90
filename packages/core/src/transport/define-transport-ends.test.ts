import { describe, expect, test } from 'vitest';

import { TransportError } from './error.ts';
import { deferred, never, numbered, received, scripted, stateOf } from './scripted-driver.test-support.ts';
import type { Transport } from './transport.ts';

describe('closing a transport', () => {
  test('writes the batches that were sent before, closes the driver, and settles with closed', async () => {
    const { transport, control, calls } = scripted();
    control.opened();
    const sent = [1, 2].map((n) => transport.send(numbered(n)));
    await transport.close();
    await Promise.all(sent);
    expect(calls).toEqual(['write 1', 'write 2', 'close']);
    expect(await transport.closed).toEqual({ by: 'local' });
  });

  test('drops the pending batches before the link is up', async () => {
    const { transport, calls } = scripted();
    const sent = transport.send(numbered(1));
    const items = transport.incoming[Symbol.asyncIterator]().next();
    await transport.close();
    await expect(transport.opened).rejects.toMatchObject({ code: 'closed' });
    await expect(sent).rejects.toMatchObject({ code: 'closed' });
    expect(await items).toEqual({ done: true, value: undefined });
    expect(calls).toEqual(['close']);
    expect(await transport.closed).toEqual({ by: 'local' });
  });

  test('is not stopped by a link that comes up in the meantime', async () => {
    const { transport, control, calls } = scripted({ close: () => never });
    const sent = transport.send(numbered(1));
    const closing = transport.close();
    control.opened();
    await expect(sent).rejects.toMatchObject({ code: 'closed' });
    expect(await stateOf(closing)).toBe('pending');
    control.closed();
    await closing;
    expect(calls).toEqual(['close']);
  });

  test('closes the driver once, for any number of calls', async () => {
    const { transport, control, calls } = scripted();
    control.opened();
    await Promise.all([transport.close(), transport.close()]);
    await transport.close();
    transport.abort();
    await transport[Symbol.asyncDispose]();
    expect(calls).toEqual(['close']);
    expect(await transport.closed).toEqual({ by: 'local' });
  });

  test('waits for a blocked write, and abort ends that wait', async () => {
    const { transport, control, calls } = scripted({ write: () => never });
    control.opened();
    const sent = [1, 2].map((n) => transport.send(numbered(n)));
    const flushed = transport.flush();
    const closing = transport.close();
    expect(await stateOf(closing)).toBe('pending');
    transport.abort('enough');
    await closing;
    for (const promise of [...sent, flushed])
      await expect(promise).rejects.toMatchObject({ code: 'aborted', cause: 'enough' });
    expect(calls).toEqual(['write 1', 'abort']);
    expect(await transport.closed).toMatchObject({ by: 'local', error: { code: 'aborted' } });
  });

  test('notifies the driver at once and only once, before the pending writes', async () => {
    const notified: string[] = [];
    const write = deferred();
    const { transport, control, calls } = scripted({
      write: () => write.promise,
      closing: () => void notified.push(calls.join()),
    });
    control.opened();
    const sent = [1, 2].map((n) => transport.send(numbered(n)));
    expect(await stateOf(transport.flush())).toBe('pending');
    const closing = Promise.all([transport.close(), transport.close()]);
    expect(notified).toEqual(['write 1']);
    write.resolve();
    await Promise.all([...sent, closing]);
    expect([notified, calls]).toEqual([['write 1'], ['write 1', 'write 2', 'flush', 'close']]);
  });

  test('is possible within the loop that reads', async () => {
    const { transport, control } = scripted();
    control.opened();
    control.receive([received(1)]);
    let seen = 0;
    for await (const items of transport.incoming) {
      seen += items.length;
      await transport.close();
    }
    expect(seen).toBe(1);
  });

  test('still yields the items that had arrived, and takes no more', async () => {
    const goodbye = deferred();
    const { transport, control } = scripted({ close: () => goodbye.promise });
    control.opened();
    control.receive([received(1)]);
    const closing = transport.close();
    control.receive([received(2)]);
    const items = transport.incoming[Symbol.asyncIterator]();
    expect((await items.next()).value).toHaveLength(1);
    expect(await items.next()).toEqual({ done: true, value: undefined });
    control.closed();
    await closing;
    goodbye.resolve();
  });

  test('resumes a paused driver, because the close of the peer may follow unread items', async () => {
    const { transport, control, calls } = scripted({ close: () => never }, { maxIncomingBytes: 10 });
    control.opened();
    control.receive([received(1)]);
    await stateOf(never);
    const closing = transport.close();
    control.receive([received(2), received(3)]);
    expect(calls).toEqual(['pause', 'resume', 'close']);
    control.closed();
    await closing;
  });

  test('refuses further calls of send and flush', async () => {
    const { transport, control, calls } = scripted({ close: () => {} });
    control.opened();
    const closing = transport.close();
    await expect(transport.send(numbered(1))).rejects.toMatchObject({ code: 'closed' });
    await expect(transport.flush()).rejects.toMatchObject({ code: 'closed' });
    await transport.end();
    expect(await stateOf(closing)).toBe('pending');
    control.closed();
    await closing;
    expect(calls).toEqual(['close']);
  });

  test.each([
    [
      'throws',
      () => {
        throw new Error('no goodbye');
      },
    ],
    ['rejects', () => Promise.reject(new Error('no goodbye'))],
  ])('aborts a driver that %s in its close', async (_how, close) => {
    const { transport, control, calls } = scripted({ close });
    control.opened();
    await transport.close();
    expect(calls).toEqual(['close', 'abort']);
    expect(await transport.closed).toMatchObject({ by: 'link', error: { code: 'lost', message: 'no goodbye' } });
  });

  test('reports an error during the close in closed', async () => {
    const error = new TransportError('lost', 'scripted: broken pipe', { status: 1 });
    const { transport, control } = scripted((given) => ({ close: () => given.closed(error) }));
    control.opened();
    await transport.close();
    expect(await transport.closed).toEqual({ by: 'link', error, status: 1 });
  });
});

describe('aborting a transport', () => {
  test('settles all pending calls at once, whatever the driver does', async () => {
    const { transport, control, calls } = scripted({ write: () => never, abort: () => {} });
    control.opened();
    const waiting = [transport.send(numbered(1)), transport.send(numbered(2)), transport.flush(), transport.end()];
    const items = transport.incoming[Symbol.asyncIterator]();
    const next = items.next();
    expect(await stateOf(next)).toBe('pending');
    const reason = new Error('user left');
    transport.abort(reason);
    transport.abort('again');
    for (const promise of [...waiting, next]) {
      await expect(promise).rejects.toMatchObject({ name: 'TransportError', code: 'aborted', cause: reason });
    }
    expect(await items.next()).toEqual({ done: true, value: undefined });
    await expect(transport.send(numbered(3))).rejects.toMatchObject({ code: 'aborted' });
    expect(await stateOf(transport.closed)).toBe('pending');
    control.closed();
    expect(await transport.closed).toMatchObject({ by: 'local', error: { code: 'aborted', cause: reason } });
    expect(calls).toEqual(['write 1', 'abort']);
  });

  test('rejects pending calls before the link is up', async () => {
    const { transport, calls } = scripted();
    const sent = transport.send(numbered(1));
    transport.abort();
    await expect(transport.opened).rejects.toMatchObject({ code: 'aborted' });
    await expect(sent).rejects.toMatchObject({ code: 'aborted' });
    await transport.closed;
    expect(calls).toEqual(['abort']);
  });

  test('during a close waits for the release, and not for the interrupted close', async () => {
    const goodbye = deferred();
    const { transport, control, calls } = scripted({ close: () => goodbye.promise, abort: () => {} });
    control.opened();
    const closing = transport.close();
    await stateOf(closing);
    transport.abort();
    goodbye.reject(new Error('interrupted'));
    expect(await stateOf(closing)).toBe('pending');
    control.closed(new TransportError('lost', 'scripted: torn down'));
    await closing;
    expect(calls).toEqual(['close', 'abort']);
    expect(await transport.closed).toMatchObject({ by: 'local', error: { code: 'aborted' } });
  });

  test('counts as local, even if the peer has ended', async () => {
    const { transport, control } = scripted();
    control.opened();
    control.ended();
    transport.abort();
    expect(await transport.closed).toMatchObject({ by: 'local', error: { code: 'aborted' } });
  });

  test('does not resume a paused driver', async () => {
    const { transport, control, calls } = scripted({}, { maxIncomingBytes: 10 });
    control.opened();
    control.receive([received(1)]);
    transport.abort();
    await transport.closed;
    expect(calls).toEqual(['pause', 'abort']);
  });

  test.each([
    [
      'throws',
      () => {
        throw new Error('stuck');
      },
    ],
    ['rejects', () => Promise.reject(new Error('stuck'))],
  ])('releases a driver that %s in its abort', async (_how, abort) => {
    const { transport, control } = scripted({ abort });
    control.opened();
    transport.abort('reason');
    expect(await transport.closed).toMatchObject({ by: 'local', error: { code: 'aborted', cause: 'reason' } });
  });
});

describe('the end of one direction', () => {
  test('after end the transport sends nothing more, and goes on receiving', async () => {
    const { transport, control, calls } = scripted();
    control.opened();
    const sent = transport.send(numbered(1));
    await Promise.all([transport.end(), transport.end(), sent]);
    await expect(transport.send(numbered(2))).rejects.toMatchObject({ code: 'closed' });
    await transport.flush();
    control.receive([received(3)]);
    expect((await transport.incoming[Symbol.asyncIterator]().next()).value).toHaveLength(1);
    expect(calls).toEqual(['write 1', 'end', 'flush']);
  });

  test('after the end of the peer the transport goes on sending', async () => {
    const { transport, control, calls } = scripted();
    control.opened();
    control.ended();
    expect(await transport.incoming[Symbol.asyncIterator]().next()).toEqual({ done: true, value: undefined });
    await transport.send(numbered(1));
    expect(calls).toEqual(['write 1']);
  });

  test.each<[string, 'local' | 'peer', (ends: { local: () => Promise<void>; peer: () => void }) => Promise<void>]>([
    ['this side first', 'local', async ({ local, peer }) => local().then(peer)],
    ['the peer first', 'peer', async ({ local, peer }) => (peer(), local())],
  ])('the end of both directions closes the transport: %s', async (_order, by, run) => {
    const { transport, control, calls } = scripted();
    control.opened();
    await run({ local: () => transport.end(), peer: () => control.ended() });
    expect(await transport.closed).toEqual({ by });
    expect(calls).toEqual(['end', 'close']);
  });

  test('an end that fails still counts as an end', async () => {
    const { transport, control } = scripted({ end: () => Promise.reject(new Error('broken pipe')) });
    control.opened();
    control.ended();
    await expect(transport.end()).rejects.toMatchObject({ code: 'lost', message: 'broken pipe' });
    expect(await transport.closed).toEqual({ by: 'peer' });
  });
});

describe('leaving the loop that reads a transport', () => {
  test('closes the transport and drops the unread items', async () => {
    const { transport, control, calls } = scripted({}, { maxIncomingBytes: 10 });
    control.opened();
    control.receive([received(1), received(2)]);
    for await (const items of transport.incoming) {
      expect(items).toHaveLength(2);
      control.receive([received(3)]);
      break;
    }
    expect(await transport.closed).toEqual({ by: 'local' });
    expect(calls).toEqual(['pause', 'resume', 'pause', 'resume', 'close']);
    await expect(readOnce(transport)).rejects.toThrow(TypeError);
  });

  test('closes the transport even if the peer has ended but the end was not read', async () => {
    const { transport, control, calls } = scripted();
    control.opened();
    control.receive([received(1)]);
    control.ended();
    await readOnce(transport);
    await transport.closed;
    expect(calls).toEqual(['close']);
  });

  test('after the end was read leaves the other direction open', async () => {
    const { transport, control, calls } = scripted();
    control.opened();
    control.ended();
    const items = transport.incoming[Symbol.asyncIterator]();
    expect((await items.next()).done).toBe(true);
    await items.return?.();
    await transport.send(numbered(1));
    expect(calls).toEqual(['write 1']);
  });
});

describe('a driver that reports its end', () => {
  test('with an error fails all calls with it, and the iteration throws it once, after the items that had arrived', async () => {
    const error = new TransportError('lost', 'scripted: gone');
    const { transport, control, calls } = scripted({ write: () => never });
    control.opened();
    const sent = [1, 2].map((n) => transport.send(numbered(n)));
    const flushed = transport.flush();
    expect(await stateOf(flushed)).toBe('pending');
    control.receive([received(1)]);
    const details = { status: 7, ofTheMedium: { exitCode: 7 } };
    control.closed(error, details);
    control.closed();
    for (const promise of [...sent, flushed]) await expect(promise).rejects.toBe(error);
    const items = transport.incoming[Symbol.asyncIterator]();
    expect((await items.next()).value).toHaveLength(1);
    await expect(items.next()).rejects.toBe(error);
    expect(await items.next()).toEqual({ done: true, value: undefined });
    expect(await transport.closed).toEqual({ by: 'link', error, ...details });
    expect(calls).toEqual(['write 1']);
  });

  test('without an error means that the peer has left', async () => {
    const { transport, control } = scripted({ write: () => never });
    control.opened();
    const sent = transport.send(numbered(1));
    control.closed(undefined, { status: 1000 });
    await expect(sent).rejects.toMatchObject({ code: 'closed' });
    expect(await transport.closed).toEqual({ by: 'peer', status: 1000 });
  });

  test('without a status leaves the status of the error', async () => {
    const error = new TransportError('rejected', 'scripted: closed with 4090', { status: 4090 });
    const { transport, control } = scripted();
    control.closed(error);
    expect(await transport.closed).toEqual({ by: 'link', error, status: 4090 });
  });

  test('settles all pending calls before closed', async () => {
    const { transport, control } = scripted({ write: () => never });
    control.opened();
    const order: string[] = [];
    const note = (what: string) => () => void order.push(what);
    void transport.closed.then(note('closed'));
    void transport.opened.then(note('opened'));
    transport.send(numbered(1)).catch(note('send'));
    transport.flush().catch(note('flush'));
    void transport.incoming[Symbol.asyncIterator]().next().then(note('incoming'));
    control.closed();
    await transport.close();
    await stateOf(never);
    expect(order).toEqual(['opened', 'send', 'flush', 'incoming', 'closed']);
  });

  test('is aborted if it fails to pause or to resume', async () => {
    const resume = () => {
      throw new Error('cannot resume');
    };
    const { transport, control, calls } = scripted({ resume }, { maxIncomingBytes: 10 });
    control.opened();
    control.receive([received(1)]);
    const items = transport.incoming[Symbol.asyncIterator]();
    expect((await items.next()).value).toHaveLength(1);
    await expect(items.next()).rejects.toMatchObject({ code: 'lost', message: 'cannot resume' });
    expect(await transport.closed).toMatchObject({ by: 'link', error: { message: 'cannot resume' } });
    expect(calls).toEqual(['pause', 'resume', 'abort']);
  });
});

/** Leaves the loop in its first iteration. */
async function readOnce({ incoming }: Transport): Promise<void> {
  for await (const items of incoming) if (items.length > 0) return;
}
