import type { Transport } from '@proto/core/transport';
import { verifies } from '@proto/test-support/verifies';
import { describe, expect, test } from 'vitest';
import type { SseOptions } from './event-link.ts';
import type { FakeClock } from './fake-clock.test-support.ts';
import { type Fate, FakeSession } from './fake-session.test-support.ts';
import type { Read } from './read-all.test-support.ts';
import { follow } from './viewer.test-support.ts';
import { FakeWorkerSession } from './worker/fake-worker-session.test-support.ts';
import { attach } from './worker/worker.test-support.ts';

interface Side extends Read {
  readonly transport: Transport;
  readonly session: FakeSession;
  readonly clock: FakeClock;
}

const sides: readonly [string, (options: Partial<SseOptions>, fate?: Fate) => Side][] = [
  ['viewer', (options, fate) => follow(options, failing(new FakeSession(), fate))],
  ['worker', (options, fate) => attach({ epoch: 1, ...options }, failing(seated(), fate))],
];

function seated(): FakeWorkerSession {
  return Object.assign(new FakeWorkerSession(), { epoch: 1 });
}

function failing<Session extends FakeSession>(session: Session, fate: Fate | undefined): Session {
  if (fate !== undefined) session.fate = () => fate;
  return session;
}

/** Fails like `fetch` of Node when no server listens. */
const refuse = () => {
  const cause = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
  return Promise.reject(new TypeError('fetch failed', { cause }));
};

/** Returns the time at which a transport has ended. */
async function timeOfEnd({ transport, clock }: Side): Promise<number> {
  let isOver = false;
  void transport.closed.then(() => (isOver = true));
  await clock.until(() => isOver, 'the transport has ended');
  return clock.now();
}

describe.each(sides)('a %s', (_, open) => {
  test('that is refused its first connection ends at once, with the reason as text', async () => {
    const side = open({ fetch: refuse });
    const message = 'sse: the request failed: the connection was refused: nothing listens on this port (ECONNREFUSED)';
    await expect(side.transport.opened).rejects.toMatchObject({ code: 'connect-failed', retryable: true, message });
    expect([side.clock.waiting, side.links()]).toEqual([0, []]);
  });

  test.each<[string, Partial<SseOptions>, Fate | undefined]>([
    ['a refused connection', { fetch: refuse, retryFirstConnect: true }, undefined],
    ['no answer', {}, 'stalled'],
    ['a broken connection', {}, 'unreachable'],
    ['status 503', {}, { status: 503 }],
  ])('retries after %s for half a minute, and reports the failed attempts', async (name, options, fate) => {
    const side = open({ ...options, random: () => 1 }, fate);
    const began = side.clock.now();
    await side.clock.pass(name === 'no answer' ? 15_000 : 10);
    expect(side.links()[0]).toMatchObject({ state: 'down', attempt: 2, cause: { retryable: true } });
    const tookMs = (await timeOfEnd(side)) - began;
    expect(tookMs).toBeLessThanOrEqual(30_000);
    expect(tookMs).toBeGreaterThan(25_000);
    expect((await side.transport.closed).error).toMatchObject({ retryable: true });
  });

  verifies('LINK-7', 'without any link ends after one renewal of a refused credential', async () => {
    const reasons: string[] = [];
    const credential = (reason: string) => `token-${reasons.push(reason)}`;
    for (const retryFirstConnect of [false, true]) {
      reasons.length = 0;
      const side = open({ credential, retryFirstConnect }, { status: 401 });
      await expect(side.transport.opened).rejects.toMatchObject({ code: 'rejected', retryable: false, status: 401 });
      expect(reasons).toEqual(['first', 'refused']);
    }
  });

  test('with retryFirstConnect retry reports the failed link, and then the link', async () => {
    const side = open({ retryFirstConnect: true }, 'unreachable');
    await side.clock.pass(3000);
    side.session.fate = () => 'served';
    await side.clock.until(() => side.links().at(-1)?.state === 'up', 'the link is up');
    await side.transport.opened;
    expect(side.links().at(-1)).toMatchObject({ state: 'up', resumed: true });
    side.transport.abort();
  });
});

test('an outbound-only worker reports failed attempts and the link in the same way', async () => {
  const side = attach({ epoch: 1, outboundOnly: true }, failing(seated(), 'unreachable'));
  await side.clock.pass(3000);
  side.session.fate = () => 'served';
  await side.clock.until(() => side.links().length === 2, 'the link is up');
  expect(side.links().map(({ state }) => state)).toEqual(['down', 'up']);
  side.transport.abort();
});
