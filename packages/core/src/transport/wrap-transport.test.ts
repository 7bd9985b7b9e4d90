import { describe, expect, test, vi } from 'vitest';
import { encodeBatch } from './lines/batch.ts';
import {
  isResumable,
  isReplayable,
  isWatchable,
  isWorker,
  type TransportExtensions,
  type WorkerLink,
} from './transport-extensions.ts';
import type { Incoming, Transport } from './transport.ts';
import { wrapTransport } from './wrap-transport.ts';

type Members = Transport & Required<TransportExtensions>;

/** A transport with all extensions. */
function whole() {
  return {
    name: 'whole',
    hasMessageIds: true,
    opened: Promise.resolve(),
    closed: Promise.resolve({ by: 'peer' }),
    incoming: (async function* () {})(),
    resumption: { cursor: '1', acknowledge: () => {} },
    unacknowledged: { batches: () => [] },
    worker: {} as WorkerLink,
    liveness: { lastByteAt: 1, isPaused: false },
    send: vi.fn<Transport['send']>(),
    flush: vi.fn<Transport['flush']>(),
    end: vi.fn<Transport['end']>(),
    close: vi.fn<Transport['close']>(),
    abort: vi.fn<Transport['abort']>(),
    [Symbol.asyncDispose]: vi.fn<Transport['close']>(),
    // The compiler checks this list: add each new member of the contract here.
  } satisfies Members;
}

const members = Object.keys(whole()) as (keyof Members & string)[];
const isMethod = (name: keyof Members) => typeof whole()[name] === 'function';

describe('a wrapped transport', () => {
  test('passes each kind of item on', async () => {
    const items: readonly Incoming[] = [
      { kind: 'notice', event: 'control_resolved', data: { request_id: 'r' }, cursor: '1' },
      { kind: 'link', state: 'down', attempt: 1 },
    ];
    const incoming = (async function* () {
      yield items;
    })();
    const seen: Incoming[] = [];
    for await (const some of wrapTransport({ ...whole(), incoming }, {}).incoming) seen.push(...some);
    expect(seen).toEqual(items);
  });

  test.each(members.filter((name) => !isMethod(name)))('has the current %s of the inner transport', (name) => {
    const inner = whole();
    const wrapped = wrapTransport(inner, {}) as Members;
    expect(wrapped[name]).toBe(inner[name]);
    const later = whole()[name];
    Object.assign(inner, { [name]: later });
    expect(wrapped[name]).toBe(later);
  });

  test('has each extension only while the inner transport has it', () => {
    const inner: { -readonly [Name in keyof TransportExtensions]: TransportExtensions[Name] } & Transport = whole();
    const wrapped = wrapTransport(wrapTransport(inner, {}), {});
    const kinds = () => [isResumable(wrapped), isReplayable(wrapped), isWorker(wrapped), isWatchable(wrapped)];
    expect(kinds()).toEqual([true, true, true, true]);
    Object.assign(inner, { resumption: undefined, unacknowledged: undefined, worker: undefined, liveness: undefined });
    expect(kinds()).toEqual([false, false, false, false]);
    inner.resumption = whole().resumption;
    expect(kinds()).toEqual([true, false, false, false]);
  });

  test('passes its calls to the inner transport', () => {
    const inner = whole();
    const wrapped = wrapTransport(inner, {});
    const batch = encodeBatch({ type: 'note' });
    const options = { signal: AbortSignal.abort() };
    const calls = { send: [batch, options], flush: [options], end: [], close: [], abort: ['why'] } as const;
    void [wrapped.send(batch, options), wrapped.flush(options), wrapped.end(), wrapped.close()];
    wrapped.abort('why');
    expect(Object.keys(calls)).toEqual(members.filter(isMethod));
    for (const [name, given] of Object.entries(calls))
      expect(inner[name as keyof typeof calls].mock.calls).toEqual([given]);
  });

  test('has the members that replace those of the inner transport, and its disposal calls its own close', async () => {
    const inner = whole();
    const close = vi.fn<Transport['close']>();
    let cursor = '1';
    const wrapped = wrapTransport(inner, {
      close,
      worker: undefined,
      get resumption() {
        return { cursor, acknowledge: () => {} };
      },
    });
    cursor = '2';
    expect(isResumable(wrapped) && wrapped.resumption.cursor).toBe('2');
    expect(isWorker(wrapped)).toBe(false);
    await wrapped[Symbol.asyncDispose]();
    expect(close).toHaveBeenCalledOnce();
    expect(inner.close).not.toHaveBeenCalled();
  });
});
