import { expect, onTestFinished, test } from 'vitest';
import type { EventLog } from '../log/event-log.ts';
import { createMemoryEventLog } from '../log/memory-event-log.ts';
import { nodeName, urlOfNode } from './cluster-options.ts';
import { fencedLog, type Tenure } from './fenced-log.ts';
import { ManualClock } from './nodes.test-support.ts';
import { SessionClaims } from './session-claims.ts';

const TTL_MS = 1000;

/** The claims of two nodes on one store, with clocks that the test moves on. */
function start(over: (log: EventLog) => EventLog = (same) => same) {
  const storeClock = new ManualClock();
  const log = createMemoryEventLog({ now: () => storeClock.now() });
  const clocks = { wall: new ManualClock(), monotonic: 0 };
  const ended: string[] = [];
  const errors: unknown[] = [];
  const options = { log: over(log), ttlMs: TTL_MS, onError: (error: unknown) => void errors.push(error) };
  const claims = new SessionClaims({
    ...options,
    url: 'http://a:1',
    clock: clocks.wall,
    monotonic: () => clocks.monotonic,
    onEnd: (session) => ended.push(session),
  });
  const other = new SessionClaims({ ...options, url: 'http://b:1', clock: new ManualClock(), onEnd: () => {} });
  onTestFinished(() => claims.close());
  onTestFinished(() => other.close());
  const taken = async (by: SessionClaims = claims) => {
    const tenure = await by.take('s');
    if ('heldBy' in tenure) throw new Error(`held by ${tenure.heldBy}`);
    return tenure;
  };
  return { log, storeClock, clocks, claims, other, ended, errors, taken };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));
const write = (log: EventLog, tenure: Tenure) =>
  fencedLog(log, tenure).append('s', [{ id: crypto.randomUUID(), type: 'n', source: 'client', payload: '{}' }]);

test.each(['clock that never goes back', 'time of day'] as const)('a tenure ends by the %s alone', async (which) => {
  const { clocks, claims, taken, ended } = start();
  const tenure = await taken();
  const pass = (ms: number) => {
    if (which === 'time of day') clocks.wall.jump(ms);
    else clocks.monotonic += ms;
  };
  pass(TTL_MS - 1);
  expect([claims.has('s'), tenure.isOver]).toEqual([true, false]);
  pass(1);
  expect([claims.has('s'), tenure.isOver, ended]).toEqual([false, true, ['s']]);
});

test('a time of day that is set back does not make a tenure longer', async () => {
  const { clocks, claims, taken } = start();
  await taken();
  clocks.wall.jump(-100 * TTL_MS);
  clocks.monotonic += TTL_MS;
  expect(claims.has('s')).toBe(false);
});

test('a tenure counts from before the claim was sent', async () => {
  const started = start((log) => ({
    ...log,
    async claim(...given) {
      const claimed = await log.claim(...given);
      // The answer arrives late.
      started.clocks.monotonic += TTL_MS - 1;
      return claimed;
    },
  }));
  await started.taken();
  expect(started.claims.has('s')).toBe(true);
  started.clocks.monotonic += 1;
  expect(started.claims.has('s')).toBe(false);
});

test('a session that is claimed again after a loss has another epoch, and a write of the earlier tenure is refused', async () => {
  const { log, claims, taken } = start();
  const first = await taken();
  claims.letGo('s');
  const second = await taken();
  expect(second.epoch).toBeGreaterThan(first.epoch);
  await expect(write(log, first)).rejects.toMatchObject({ code: 'fenced' });
  await write(log, second);
});

test('a write that fails ends the tenure, because nobody knows what is stored', async () => {
  const { log, claims, taken, ended } = start();
  const tenure = await taken();
  await log.release('s', tenure.epoch);
  await expect(write(log, tenure)).rejects.toMatchObject({ code: 'fenced' });
  expect([claims.has('s'), ended]).toEqual([false, ['s']]);
  // The write fails before the store is called.
  await expect(write(undefined as never, tenure)).rejects.toMatchObject({ code: 'fenced' });
});

test('the owner of a session is asked for once, until its claim could run out or a request to it has failed', async () => {
  let asked = 0;
  const { clocks, claims, other, taken, storeClock } = start((log) => ({
    ...log,
    claim: (...given) => (asked++, log.claim(...given)),
  }));
  await taken(other);
  asked = 0;
  for (let n = 0; n < 3; n++) expect(await claims.take('s')).toMatchObject({ heldBy: other.name });
  expect(asked).toBe(1);
  claims.doubt('s');
  await claims.take('s');
  expect(asked).toBe(2);
  storeClock.pass(TTL_MS);
  clocks.monotonic += TTL_MS;
  await taken();
  expect(claims.has('s')).toBe(true);
});

test('requests that come at once claim a session once', async () => {
  let asked = 0;
  const { claims } = start((log) => ({ ...log, claim: (...given) => (asked++, log.claim(...given)) }));
  const tenures = await Promise.all([claims.take('s'), claims.take('s'), claims.take('s')]);
  expect([asked, new Set(tenures).size]).toEqual([1, 1]);
});

test('a session that is not in memory at two looks in a row is given up', async () => {
  const { claims, other, taken, ended } = start();
  await taken();
  await claims.tidy(() => false);
  expect(claims.has('s')).toBe(true);
  await claims.tidy(() => true);
  await claims.tidy(() => false);
  expect([claims.has('s'), ended]).toEqual([false, ['s']]);
  await settled();
  expect((await taken(other)).isOver).toBe(false);
});

test('closing gives up every claim, and claims nothing any more', async () => {
  const { claims, other, taken } = start();
  await taken();
  await claims.close();
  expect((await taken(other)).isOver).toBe(false);
  await expect(claims.take('t')).rejects.toMatchObject({ code: 'fenced' });
});

test('a failed renewal is reported, and the next one keeps the tenure', async () => {
  let isDown = false;
  const { clocks, storeClock, claims, taken, errors } = start((log) => ({
    ...log,
    claim: (...given) => (isDown ? Promise.reject(new Error('down')) : log.claim(...given)),
  }));
  await taken();
  const pass = async (ms: number) => {
    storeClock.pass(ms);
    clocks.monotonic += ms;
    clocks.wall.pass(ms);
    await settled();
  };
  isDown = true;
  await pass(TTL_MS / 3 + 1);
  expect(errors).toHaveLength(1);
  isDown = false;
  await pass(TTL_MS / 3 + 1);
  await pass(TTL_MS / 3 + 1);
  expect(claims.has('s')).toBe(true);
});

test('the name of a node holds its address and differs between two runs', () => {
  const [one, two] = [nodeName({ url: 'http://10.0.0.7:80/' }), nodeName({ url: 'http://10.0.0.7:80/' })];
  expect(one).not.toBe(two);
  expect([urlOfNode(one), urlOfNode(two)]).toEqual(['http://10.0.0.7', 'http://10.0.0.7']);
  for (const url of ['', 'a:1', 'ftp://a', 'http://a/b', 'http://a?b', 'http://u:p@a', 'http://a#b']) {
    expect(() => nodeName({ url })).toThrow(TypeError);
  }
});
