import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { TransportError } from '../error.ts';
import type { Incoming } from '../transport.ts';
import type { AttemptReason } from './credential.ts';
import { createReconnector, type ReconnectorOptions } from './reconnector.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function setUp(options: Partial<ReconnectorOptions> = {}) {
  const attempts: { reason: AttemptReason; signal: AbortSignal }[] = [];
  const items: Incoming[] = [];
  const ends: TransportError[] = [];
  const seen = { opened: 0 };
  const control = {
    opened: () => void seen.opened++,
    receive: (some: readonly Incoming[]) => void items.push(...some),
  };
  const reconnector = createReconnector(control, {
    name: 'wire',
    jitter: 0,
    connect: (reason, signal) => void attempts.push({ reason, signal }),
    onGiveUp: (error) => void ends.push(error),
    ...options,
  });
  const links = () => items.flatMap((item) => (item.kind === 'link' ? [`${item.state} ${item.attempt}`] : []));
  return { reconnector, attempts, items, ends, seen, links };
}

const refused = () => Object.assign(new Error('connect to 10.0.0.1'), { code: 'ECONNREFUSED' });

test('makes no attempt before it is asked, and reports a link that came up and went', async () => {
  const { reconnector, attempts, links, seen, items } = setUp();
  expect(attempts).toEqual([]);
  reconnector.dial();
  reconnector.up(true);
  expect([attempts.length, seen.opened, links()]).toEqual([1, 1, []]);
  reconnector.down(new TransportError('lost', 'wire: broke'));
  expect(links()).toEqual(['down 1']);
  await vi.advanceTimersByTimeAsync(0);
  expect(attempts.map(({ reason }) => reason)).toEqual(['first', 'lost']);
  reconnector.up(false);
  expect(items.at(-1)).toMatchObject({ kind: 'link', state: 'up', resumed: false });
});

test('a cut while no attempt and no link is there is not another failure', async () => {
  const { reconnector, attempts, links } = setUp();
  reconnector.dial();
  reconnector.up(true);
  reconnector.down(undefined);
  reconnector.down(undefined);
  await vi.advanceTimersByTimeAsync(0);
  expect([attempts.length, links()]).toEqual([2, ['down 1']]);
});

test('an attempt without an answer is aborted, and counts as a failure once', async () => {
  const { reconnector, attempts, items } = setUp({ connectTimeoutMs: 500 });
  reconnector.dial();
  attempts[0]?.signal.addEventListener('abort', () => reconnector.down(attempts[0]?.signal.reason));
  await vi.advanceTimersByTimeAsync(500);
  expect(attempts[0]?.signal.aborted).toBe(true);
  expect(items).toMatchObject([{ kind: 'link', state: 'down', cause: { code: 'timeout' } }]);
  await vi.advanceTimersByTimeAsync(1);
  expect(attempts).toHaveLength(2);
});

test('a connect that never settles does not hold up the next attempt, and its late error changes nothing', async () => {
  const rejections: ((error: unknown) => void)[] = [];
  const { reconnector, links } = setUp({
    connectTimeoutMs: 500,
    connect: () => new Promise<void>((_, reject) => void rejections.push(reject)),
  });
  reconnector.dial();
  await vi.advanceTimersByTimeAsync(501);
  expect(rejections).toHaveLength(2);
  rejections[0]?.(new TransportError('rejected', 'wire: too late'));
  await vi.advanceTimersByTimeAsync(0);
  expect(links()).toEqual(['down 2']);
});

test('of an error of the platform only the code is quoted, and nobody there at the first attempt is the end', async () => {
  const { reconnector, ends } = setUp({
    connect() {
      throw refused();
    },
  });
  reconnector.dial();
  await vi.advanceTimersByTimeAsync(0);
  expect(ends).toMatchObject([{ code: 'connect-failed', retryable: true }]);
  expect(ends[0]?.message).toBe(
    'wire: cannot connect: the connection was refused: nothing listens on this port (ECONNREFUSED)',
  );
});

test('an error that cannot be retried ends the attempts as it is', async () => {
  const { reconnector, ends, attempts } = setUp();
  const error = new TransportError('rejected', 'wire: no such session', { status: 404 });
  reconnector.dial();
  reconnector.up(true);
  reconnector.down(error);
  await vi.advanceTimersByTimeAsync(60_000);
  expect([ends, attempts.length]).toEqual([[error], 1]);
});

test('a refusal for good turns an error that could be retried into one that cannot', () => {
  const { reconnector, ends } = setUp();
  reconnector.dial();
  reconnector.down(new TransportError('connect-failed', 'wire: closed with 4001', { status: 4001 }), {
    action: 'permanent',
  });
  expect(ends).toMatchObject([{ code: 'rejected', retryable: false, status: 4001, message: 'wire: closed with 4001' }]);
});

test('attempts end when the time is over', async () => {
  const { reconnector, ends } = setUp({
    connectDeadlineMs: 10_000,
    retryFirstConnect: true,
    connect() {
      throw refused();
    },
  });
  reconnector.dial();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(ends).toMatchObject([{ code: 'connect-failed' }]);
  expect(vi.getTimerCount()).toBe(0);
});

test('stop aborts the attempt, leaves no timer, and nothing follows', async () => {
  const { reconnector, attempts, seen, links } = setUp();
  reconnector.dial();
  reconnector.stop();
  expect([attempts[0]?.signal.aborted, vi.getTimerCount()]).toEqual([true, 0]);
  reconnector.up(true);
  reconnector.down(undefined);
  reconnector.dial();
  expect([attempts.length, seen.opened, links()]).toEqual([1, 0, []]);
});

test('an attempt in the place of another one counts as the same', async () => {
  const { reconnector, links, attempts } = setUp();
  reconnector.dial();
  reconnector.dial();
  reconnector.up(true);
  reconnector.down(undefined);
  expect([attempts.length, links()]).toEqual([2, ['down 1']]);
});

test('its events carry the reports of a connection', () => {
  const { reconnector, links, seen } = setUp();
  const { onUp, onDown, onProgress, onRelease } = reconnector.events;
  reconnector.dial();
  onUp(true);
  onProgress?.();
  onDown(undefined, true);
  onRelease?.();
  expect([seen.opened, links(), vi.getTimerCount()]).toEqual([1, ['down 1'], 0]);
});

test('refuses a time that is not a number from 0 on', () => {
  expect(() => setUp({ reconnectDeadlineMs: -1 })).toThrow(RangeError);
});
