import { describe, expect, test } from 'vitest';

import { encodeBatch } from './lines/batch.ts';
import { defineTransport } from './define-transport.ts';
import { TransportError } from './error.ts';
import { isResumable, isReplayable, isWatchable, isWorker } from './transport-extensions.ts';
import { deferred, never, numbered, received, scripted, stateOf } from './scripted-driver.test-support.ts';

describe('opening a transport', () => {
  test('sends the batches that were sent before the link was up', async () => {
    const { transport, control, calls } = scripted();
    const first = transport.send(numbered(1));
    const second = transport.send(numbered(2));
    expect(await stateOf(first)).toBe('pending');
    expect(calls).toEqual([]);
    control.opened();
    await Promise.all([transport.opened, first, second]);
    expect(calls).toEqual(['write 1', 'write 2']);
  });

  test('may happen within the factory', async () => {
    const { transport, calls } = scripted((control) => {
      control.opened();
      return {};
    });
    await transport.send(numbered(1));
    expect(calls).toEqual(['write 1']);
  });

  test('may fail for good within the factory', async () => {
    const error = new TransportError('connect-failed', 'scripted: nobody there');
    const { transport, calls } = scripted((control) => {
      control.closed(error);
      return {};
    });
    await expect(transport.opened).rejects.toBe(error);
    await expect(transport.send(numbered(1))).rejects.toMatchObject({ code: 'closed' });
    await expect(transport.incoming[Symbol.asyncIterator]().next()).rejects.toBe(error);
    await transport.close();
    expect(await transport.closed).toEqual({ by: 'link', error });
    expect(calls).toEqual([]);
  });

  test('keeps items that the driver reports within the factory, and pauses it above the limit as soon as it exists', async () => {
    const { transport, calls } = scripted(
      (control) => {
        control.opened();
        control.receive([received(1), received(2)]);
        return {};
      },
      { maxIncomingBytes: 10 },
    );
    expect(calls).toEqual(['pause']);
    const { value } = await transport.incoming[Symbol.asyncIterator]().next();
    expect(value).toHaveLength(2);
    expect(calls).toEqual(['pause', 'resume']);
  });

  test('happens once, even if the driver reports it twice', async () => {
    const { transport, control, calls } = scripted();
    control.opened();
    control.opened();
    await transport.send(numbered(1));
    expect(calls).toEqual(['write 1']);
  });

  test('makes no transport if the factory throws', () => {
    const broken = () => {
      throw new Error('no');
    };
    expect(() => defineTransport('broken', broken)).toThrow('no');
  });
});

describe('sending over a transport', () => {
  test('writes one batch at a time, in call order', async () => {
    const first = deferred();
    let writes = 0;
    const { transport, control, calls } = scripted({ write: () => (writes++ === 0 ? first.promise : undefined) });
    control.opened();
    const sent = [1, 2, 3].map((n) => transport.send(numbered(n)));
    expect(await stateOf(Promise.all(sent))).toBe('pending');
    expect(calls).toEqual(['write 1']);
    first.resolve();
    await Promise.all(sent);
    expect(calls).toEqual(['write 1', 'write 2', 'write 3']);
  });

  test('rejects only the send whose write failed', async () => {
    let writes = 0;
    const { transport, control } = scripted({
      write: () => {
        if (writes++ === 1) throw new Error('too wide');
      },
    });
    control.opened();
    const [first, second, third] = [1, 2, 3].map((n) => transport.send(numbered(n)));
    await first;
    await expect(second).rejects.toMatchObject({ code: 'lost', message: 'too wide' });
    await third;
  });

  test('flushes in the order of the writes', async () => {
    const { transport, control, calls } = scripted();
    control.opened();
    await Promise.all([transport.send(numbered(1)), transport.flush(), transport.send(numbered(2))]);
    expect(calls).toEqual(['write 1', 'flush', 'write 2']);
  });

  test('flushes without a flush method of the driver', async () => {
    const transport = defineTransport('bare', (control) => {
      control.opened();
      return { write() {}, close: () => control.closed(), abort: () => control.closed() };
    });
    await transport.flush();
  });

  test('rejects an aborted send at once with the reason of the signal, and never starts its write', async () => {
    const blocked = deferred();
    let writes = 0;
    const { transport, control, calls } = scripted({ write: () => (writes++ === 0 ? blocked.promise : undefined) });
    const { signal, abort } = controller();
    control.opened();
    const first = transport.send(numbered(1), { signal });
    const withdrawn = transport.send(numbered(2), { signal });
    const third = transport.send(numbered(3));
    expect(await stateOf(third)).toBe('pending');
    const reason = { why: 'changed my mind' };
    abort(reason);
    await expect(first).rejects.toBe(reason);
    await expect(withdrawn).rejects.toBe(reason);
    await expect(transport.flush({ signal })).rejects.toBe(reason);
    blocked.resolve();
    await third;
    expect(calls).toEqual(['write 1', 'write 3']);
  });

  test('causes no warning for a thousand sends with one signal', async () => {
    const warnings: Error[] = [];
    const note = (warning: Error) => warnings.push(warning);
    process.on('warning', note);
    const { transport, control } = scripted();
    const { signal } = controller();
    const sent = Array.from({ length: 1000 }, (_, n) => transport.send(numbered(n), { signal }));
    control.opened();
    await Promise.all(sent);
    await stateOf(never);
    process.off('warning', note);
    expect(warnings).toEqual([]);
  });

  test('causes no unhandled rejection if nobody awaits the sends', async () => {
    const { transport, control } = scripted({ write: () => never });
    control.opened();
    void transport.send(numbered(1));
    void transport.send(numbered(2));
    void transport.flush();
    void transport.end();
    transport.abort();
    void transport.send(numbered(3));
    void transport.flush();
    // An unhandled rejection would occur within this turn and fail the test run.
    await stateOf(never);
  });

  test('rejects first for a signal that has aborted, even before the link is up', async () => {
    const { transport, control, calls } = scripted();
    const { signal, abort } = controller();
    abort('no');
    await expect(transport.send(numbered(1), { signal })).rejects.toBe('no');
    control.opened();
    await transport.flush();
    expect(calls).toEqual(['flush']);
  });
});

describe('receiving from a transport', () => {
  test('yields all waiting items at once, in order', async () => {
    const { transport, control } = scripted();
    const items = [received(1), received(2), received(3)];
    control.receive(items.slice(0, 2));
    control.receive(items.slice(2));
    expect(await transport.incoming[Symbol.asyncIterator]().next()).toEqual({ done: false, value: items });
  });

  test('pauses the driver above the limit and resumes it when the consumer has caught up', async () => {
    const { transport, control, calls } = scripted({}, { maxIncomingBytes: 300 });
    control.opened();
    for (const n of [1, 2, 3, 4, 5]) control.receive([received(n)]);
    expect(calls).toEqual(['pause']);
    await transport.incoming[Symbol.asyncIterator]().next();
    expect(calls).toEqual(['pause', 'resume']);
  });

  test('also limits a flood of empty items', () => {
    const { control, calls } = scripted({}, { maxIncomingBytes: 10_000 });
    const error = new TransportError('malformed', 'scripted: bad frame');
    for (let n = 0; n < 1000; n++) control.receive([{ kind: 'malformed', error, excerpt: '' }]);
    expect(calls).toEqual(['pause']);
  });

  test('works with a driver that cannot pause', async () => {
    const transport = defineTransport(
      'bare',
      (control) => {
        control.receive([received(1)]);
        return { write() {}, close: () => control.closed(), abort: () => control.closed() };
      },
      { maxIncomingBytes: 1 },
    );
    const { value } = await transport.incoming[Symbol.asyncIterator]().next();
    expect(value).toHaveLength(1);
  });

  test('neither pauses nor resumes a driver that has closed', async () => {
    const { transport, control, calls } = scripted({}, { maxIncomingBytes: 10 });
    control.receive([received(1)]);
    expect(calls).toEqual(['pause']);
    control.closed();
    await transport.incoming[Symbol.asyncIterator]().next();
    expect(calls).toEqual(['pause']);
  });

  test('drops items that the driver reports after its end', async () => {
    const { transport, control } = scripted();
    control.receive([received(1)]);
    control.ended();
    control.ended();
    control.receive([received(2)]);
    const items = transport.incoming[Symbol.asyncIterator]();
    expect((await items.next()).value).toHaveLength(1);
    expect(await items.next()).toEqual({ done: true, value: undefined });
  });
});

test('a transport exposes the extensions of its driver, and each guard reads them anew', () => {
  const resumption = { cursor: undefined, acknowledge() {} };
  expect(scripted({ resumption }).transport.resumption).toBe(resumption);
  const learnt: { resumption?: typeof resumption } = {};
  const { transport } = scripted({
    get resumption() {
      return learnt.resumption;
    },
  });
  const guards = [isResumable, isReplayable, isWorker, isWatchable];
  expect(guards.map((guard) => guard(transport))).toEqual([false, false, false, true]);
  learnt.resumption = resumption;
  expect(guards.map((guard) => guard(transport))).toEqual([true, false, false, true]);
  expect(scripted().transport.hasMessageIds).toBe(false);
  expect(scripted({}, { hasMessageIds: true }).transport.hasMessageIds).toBe(true);
});

test('any arrival counts as a sign of life, and liveness reports a pause', async () => {
  const { transport, control } = scripted({}, { maxIncomingBytes: 10 });
  control.opened();
  expect(transport.liveness).toEqual({ lastByteAt: undefined, isPaused: false });
  control.receive([]);
  const { lastByteAt = Number.NaN } = transport.liveness ?? {};
  expect(lastByteAt).toBeLessThanOrEqual(performance.now());
  control.receive([received(1), received(2)]);
  expect(transport.liveness.isPaused).toBe(true);
  expect(transport.liveness?.lastByteAt).toBeGreaterThanOrEqual(lastByteAt);
});

test('an empty batch is written as well', async () => {
  const { transport, control, calls } = scripted();
  control.opened();
  await transport.send(encodeBatch());
  expect(calls).toEqual(['write ']);
});

function controller(): { signal: AbortSignal; abort: (reason?: unknown) => void } {
  const made = new AbortController();
  return { signal: made.signal, abort: (reason) => made.abort(reason) };
}
