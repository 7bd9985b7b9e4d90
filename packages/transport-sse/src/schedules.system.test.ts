import { encodeBatch } from '@proto/core/transport';
import { verifies } from '@proto/test-support/verifies';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Fate, FakeSession, frameOf } from './fake-session.test-support.ts';
import { follow } from './viewer.test-support.ts';
import { FakeWorkerSession } from './worker/fake-worker-session.test-support.ts';
import { attach } from './worker/worker.test-support.ts';

const HOUR = 3_600_000;

/** A step of a schedule. Steps in the same tick meet pieces that are still pending. */
type Step =
  | { readonly kind: 'say' | 'send'; readonly count: number }
  | { readonly kind: 'cut'; readonly arriving: number }
  | { readonly kind: 'fate'; readonly fates: readonly Fate[] }
  | { readonly kind: 'silence' | 'settle' }
  | { readonly kind: 'pass' | 'sleep'; readonly ms: number };

const fates = fc.array(
  fc.constantFrom<Fate>('served', 'lost', 'unreachable', 'stalled', { status: 500 }, { status: 429 }, { status: 401 }),
  { minLength: 1, maxLength: 6 },
);
const isRefusal = (fate: Fate) => typeof fate === 'object' && fate.status === 401;
/** Ten credential refusals in a row end a worker; two end a viewer that never had a link. */
const fatesOf = { viewer: fates, worker: fates.map((list) => list.map((fate) => (isRefusal(fate) ? 'lost' : fate))) };
const stepOf = (kind: 'viewer' | 'worker'): fc.Arbitrary<Step> =>
  fc.oneof(
    fc.record({ kind: fc.constantFrom('say' as const, 'send' as const), count: fc.integer({ min: 1, max: 5 }) }),
    fc.record({ kind: fc.constant('cut' as const), arriving: fc.nat({ max: 200 }) }),
    fc.record({ kind: fc.constant('fate' as const), fates: fatesOf[kind] }),
    fc.record({ kind: fc.constantFrom('silence' as const, 'settle' as const) }),
    fc.record({ kind: fc.constant('pass' as const), ms: fc.nat({ max: 60_000 }) }),
    fc.record({ kind: fc.constant('sleep' as const), ms: fc.nat({ max: 8 * HOUR }) }),
  );

/** Follows a session as a viewer or a worker, with unlimited time. */
function sideOf(kind: 'viewer' | 'worker') {
  let issued = 0;
  const patient = { reconnectDeadlineMs: 1000 * HOUR, connectDeadlineMs: 1000 * HOUR };
  if (kind === 'viewer') {
    const viewer = follow({ ...patient, credential: () => `token-${++issued}` });
    return { ...viewer, deliver: (message: object) => viewer.session.say(message), as: 'client' };
  }
  const session = new FakeWorkerSession();
  // Each credential has a new epoch, which ends the previous epoch.
  const credential = () => ({ token: `token-${++session.epoch}`, epoch: session.epoch });
  return {
    ...attach({ ...patient, credential }, session),
    deliver: (message: object) => session.ask(message),
    as: 'worker',
  };
}

async function run(kind: 'viewer' | 'worker', steps: readonly Step[], pieceBytes: number): Promise<void> {
  const { transport, session, clock, numbers, links, deliver, as } = sideOf(kind);
  session.chunk = (bytes) =>
    Array.from({ length: Math.ceil(bytes.length / pieceBytes) }, (_, n) =>
      bytes.subarray(n * pieceBytes, (n + 1) * pieceBytes),
    );
  let [said, sent, settled] = [0, 0, 0];
  let isOpen = false;
  transport.opened.then(
    () => (isOpen = true),
    () => {},
  );
  for (const step of steps) {
    switch (step.kind) {
      case 'say':
        for (let n = 0; n < step.count; n++) deliver({ type: 'x', n: ++said, text: '\u{1f600}\u20ac' });
        break;
      case 'send': {
        const messages = Array.from({ length: step.count }, () => ({ type: 'x', n: ++sent }));
        void transport.send(encodeBatch(...messages)).then(() => (settled += messages.length));
        break;
      }
      case 'cut':
        session.cut(step.arriving);
        break;
      case 'fate': {
        let turn = 0;
        session.fate = () => {
          const fate = step.fates[turn++ % step.fates.length] ?? 'served';
          return isRefusal(fate) && !isOpen ? 'lost' : fate;
        };
        break;
      }
      case 'silence':
        session.silence();
        break;
      case 'settle':
        await clock.settle();
        break;
      default:
        await clock[step.kind](step.ms);
    }
  }
  session.fate = () => 'served';
  await clock.until(() => settled === sent && numbers().length >= said, 'all messages are sent and read');
  const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);
  expect(numbers()).toEqual(upTo(said));
  const mine = session.log.filter(({ source }) => source === as);
  expect(mine.map(({ payload }) => (JSON.parse(payload) as { n: number }).n)).toEqual(upTo(sent));
  expect(links().every(({ resumed }) => resumed !== false)).toBe(true);
  transport.abort();
  await transport.closed;
  await clock.settle();
  expect([clock.waiting, session.streams.size]).toEqual([0, 0]);
}

for (const kind of ['viewer', 'worker'] as const) {
  verifies(
    'LINK-1',
    `property: with any failures, each message of a ${kind} is read and stored exactly once, in order`,
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(stepOf(kind), { maxLength: 30 }),
          fc.integer({ min: 1, max: 80 }),
          (steps, pieceBytes) => run(kind, steps, pieceBytes),
        ),
        { numRuns: 300 },
      );
    },
    { timeout: 120_000 },
  );
}

test('a stream that is cut at any byte continues without loss', async () => {
  const before = new FakeSession();
  for (let n = 1; n <= 3; n++) before.say({ type: 'x', n, text: '\u{1f600}\u20ac' });
  const bytes = new TextEncoder().encode(`: hello\n\n${before.log.map(frameOf).join('')}`).length;
  for (let at = 0; at <= bytes; at++) {
    const session = new FakeSession();
    session.log.push(...before.log);
    session.chunk = (whole) => Array.from(whole, (_, n) => whole.subarray(n, n + 1));
    const { transport, clock, numbers } = follow({}, session);
    while (session.streams.size === 0) await Promise.resolve();
    session.cut(at);
    await clock.until(() => numbers().length >= 3, 'all messages are read');
    expect(numbers()).toEqual([1, 2, 3]);
    transport.abort();
  }
});
