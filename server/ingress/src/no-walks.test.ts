/** Tests by counts that no request and no step of the regular work goes through all sessions, or all events of a session. */
import type { Clock } from '@proto/core/reconnect';
import { afterEach, expect, test } from 'vitest';
import { ManualClock } from './cluster/nodes.test-support.ts';
import { SessionClaims } from './cluster/session-claims.ts';
import { countVisits } from './count-visits.test-support.ts';
import { assistant, startIngress, TOKENS, user } from './ingress.test-support.ts';
import type { JsonObject } from './json/values.ts';
import { createMemoryEventLog } from './log/memory-event-log.ts';

const visits = countVisits();
afterEach(visits.stop);

const MINUTE_MS = 60_000;
/** More than one step has, so that there are full steps at both sizes. */
const FEW = 150;

/** A server with one session of `events` events, which the tests ask for, and with `others` more sessions. */
async function startFilled(others: number, events: number) {
  let time = Date.now();
  const timers = new Set<{ readonly callback: () => void; readonly at: number }>();
  const clock: Clock = {
    now: () => time,
    setTimeout(callback, ms) {
      const timer = { callback, at: time + ms };
      timers.add(timer);
      return timer;
    },
    clearTimeout: (timer) => void timers.delete(timer as never),
  };
  const log = createMemoryEventLog({ now: clock.now, maxAgeMs: 10 * MINUTE_MS });
  const limits = { maxSessions: others + 1, maxRequestsPerSecond: 1e9, maxBytesPerSecond: 1e9 };
  const started = await startIngress({ log, clock, now: clock.now, ...limits });
  // Each of these sessions has a reader, so a search for a session without a reader would take a long time.
  for (let n = 0; n < others; n++) await readNewSession(started.request);
  const session = await started.newSession();
  const worker = await session.claimLease();
  for (let n = 0; n < events; n += 100) {
    await worker.say(...Array.from({ length: 100 }, (_, one) => assistant(`${n + one}`)));
  }
  const pass = (ms: number) => {
    time += ms;
    for (const timer of timers) {
      if (timer.at > time || !timers.delete(timer)) continue;
      timer.callback();
    }
  };
  return { ...started, log, session, worker, pass };
}

/** Creates a session, and opens an event stream that stays open. */
async function readNewSession(request: Awaited<ReturnType<typeof startIngress>>['request']): Promise<void> {
  const made = await request('/v1/code/sessions', { token: TOKENS.driver, json: {} });
  const { session } = (await made.json()) as { readonly session: { readonly id: string } };
  await request(`/v1/code/sessions/${session.id}/events/stream`, { token: TOKENS.viewer });
}

type Filled = Awaited<ReturnType<typeof startFilled>>;

const driver =
  (path: string, method = 'GET', json?: JsonObject) =>
  async ({ call, session }: Filled) => {
    await call(`${session.base}${path}`, { token: TOKENS.driver, method, ...(json !== undefined && { json }) });
  };

/** A request to each route. The name makes the ids of messages, which may be sent once only. */
const requests: Readonly<Record<string, (filled: Filled, name: string) => Promise<unknown>>> = {
  create: async ({ call }) => call('/v1/code/sessions', { token: TOKENS.driver, json: { title: 'one more' } }),
  list: async ({ call }) => call('/v1/code/sessions?limit=5', { token: TOKENS.driver, method: 'GET' }),
  show: driver(''),
  send: async ({ session }, name) => session.send([user(name)]),
  read: driver('/events?limit=5'),
  'read the end': driver('/events?limit=5&after=95'),
  follow: async ({ session, log }) => {
    const { last } = await log.read(session.id, 0, { maxEvents: 1 });
    const viewer = await session.view(last);
    await viewer.until(() => viewer.of('resume').length === 1);
    await viewer.close();
  },
  ticket: driver('/tickets', 'POST'),
  bridge: async ({ session }) => session.claimLease(),
  report: async ({ worker }) => worker.worker('', { worker_status: 'running' }, 'PUT'),
  say: async ({ worker }, name) => worker.say(assistant(name)),
  ephemeral: async ({ worker }, name) => worker.write([{ ephemeral: true, payload: assistant(name) }]),
  mark: async ({ worker }) => worker.mark({ event_id: 'uuid-first', status: 'processed' }),
  heartbeat: async ({ worker }) => worker.worker('/heartbeat', {}),
  transcript: async ({ worker }, name) =>
    worker.worker('/internal-events', { events: [{ payload: assistant(name), is_compaction: true }] }),
  'full house': async ({ call, log }, name) => {
    await log.writeDocument(`cse_${name}`, 'session', '{}');
    return call(`/v1/code/sessions/cse_${name}`, { token: TOKENS.driver, method: 'GET' });
  },
};

test('a request costs as many visits with ten times the sessions, and with ten times the events', async () => {
  const counts: Record<string, number[]> = {};
  for (const [others, events] of [
    [FEW / 10, 100],
    [FEW, 100],
    [FEW / 10, 1000],
  ] as const) {
    const filled = await startFilled(others, events);
    for (const [name, request] of Object.entries(requests)) {
      // Work that is done only at the first use is not counted.
      await request(filled, `${name}-warm`.replaceAll(' ', '-'));
      visits.begin();
      await request(filled, `${name}-then`.replaceAll(' ', '-'));
      (counts[name] ??= []).push(visits.total());
    }
    await filled.ingress.drain();
  }
  for (const [name, [few = 0, ...many]] of Object.entries(counts)) {
    for (const count of many) expect(count, name).toBeLessThanOrEqual(few + 20);
  }
});

test('a step of the regular work costs as many visits with ten times the sessions', async () => {
  const most: number[] = [];
  for (const others of [FEW, 10 * FEW]) {
    const filled = await startFilled(others, 100);
    visits.begin();
    // The times cover keep-alives, a minute after which all sessions are kept, and a time after which all sessions are too old.
    for (const ms of [MINUTE_MS, MINUTE_MS, 20 * MINUTE_MS]) {
      filled.pass(ms);
      await visits.quiet();
    }
    most.push(visits.most());
    await filled.ingress.drain();
  }
  const [few = 0, many = Infinity] = most;
  expect(few).toBeGreaterThan(100);
  expect(many).toBeLessThanOrEqual(1.5 * few);
});

test('a step of the work for the claims of a node costs as many visits with ten times the claims, and a look at the clock costs none', async () => {
  const ttlMs = 30_000;
  const most: number[] = [];
  for (const count of [FEW, 10 * FEW]) {
    const clock = new ManualClock();
    const log = createMemoryEventLog({ now: () => clock.now() });
    const ended = new Set<string>();
    const claims = new SessionClaims({
      log,
      url: 'http://a:1',
      ttlMs,
      clock,
      monotonic: () => clock.now(),
      onEnd: (session) => ended.add(session),
      onError: (error) => expect.unreachable(String(error)),
    });
    for (let n = 0; n < count; n++) await claims.take(`s${n}`);
    visits.begin();
    // These checks take place before the first renewal.
    for (let n = 0; n < 5; n++) clock.pass(ttlMs / 20);
    expect(visits.total()).toBeLessThan(50);
    // This takes longer than a claim lasts, so the checks go through the tenures, which were all renewed.
    for (let n = 0; n < 40; n++) {
      clock.pass(ttlMs / 20);
      await visits.quiet();
    }
    await claims.tidy((session) => session !== 's0');
    await claims.tidy((session) => session !== 's0');
    expect([...ended]).toEqual(['s0']);
    clock.jump(ttlMs);
    clock.pass(ttlMs / 20);
    await visits.quiet();
    most.push(visits.most());
    expect(ended.size).toBe(count);
    await claims.close();
  }
  const [few = 0, many = Infinity] = most;
  expect(few).toBeGreaterThan(100);
  expect(many).toBeLessThanOrEqual(1.5 * few);
});
