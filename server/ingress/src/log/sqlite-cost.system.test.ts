/** Tests of the cost of the file store, and that long work lets other calls proceed. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Libsql, { type Database } from 'libsql';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { event, events } from '../vitest/event-log-under-test.ts';
import type { EventLog } from './event-log.ts';
import { openSqliteEventLog } from './sqlite-event-log.ts';

const folder = mkdtempSync(join(tmpdir(), 'event-log-'));
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => vi.restoreAllMocks());

test('an append to a stream that was written before takes three statements and a transaction', async () => {
  const prepare = vi.spyOn(Libsql.prototype, 'prepare');
  await using log = await openSqliteEventLog({ file: join(folder, 'few.db') });
  const database = prepare.mock.contexts[0] as Database;
  await log.append('s', events(3));
  const statement = Object.getPrototypeOf(database.prepare('SELECT 1')) as { run(): void; get(): void };
  const calls = [vi.spyOn(statement, 'run'), vi.spyOn(statement, 'get'), vi.spyOn(database, 'exec')];
  await log.append('s', [event('one more')]);
  const [run, get, exec] = calls.map(({ mock }) => mock.calls.length);
  // One statement searches for the id, one adds the event, and one changes the row of the stream.
  expect({ get, run, exec }).toEqual({ get: 1, run: 2, exec: 2 });
});

test('what is too old is dropped by an append, also from a stream that was empty meanwhile', async () => {
  let time = 1;
  await using log = await openSqliteEventLog({ file: join(folder, 'aged.db'), now: () => time, maxAgeMs: 1000 });
  const at = (ms: number) => {
    time = ms;
    return log.append('s', [event(`at ${ms}`)]);
  };
  await at(1);
  time = 900;
  await log.writeDocument('s', 'state', '1');
  time = 1500;
  await log.expire();
  expect(await log.read('s', 0)).toEqual({ events: [], last: 1, missing: { from: 1, to: 1 } });
  for (const ms of [1600, 2000, 2601, 3002]) await at(ms);
  const { events: kept, missing } = await log.read('s', 0);
  expect(kept.map(({ id }) => id)).toEqual(['at 2601', 'at 3002']);
  expect(missing).toEqual({ from: 1, to: 3 });
  expect(await log.find('s', 'at 2000')).toBeUndefined();
});

test('a rolled back append leaves nothing in memory', async () => {
  await using log = await openSqliteEventLog({ file: join(folder, 'full.db'), maxTotalBytes: 200 });
  await log.append('s', [event('a')]);
  const large = { ...event('large'), payload: JSON.stringify('x'.repeat(500)) };
  await expect(log.append('s', [large])).rejects.toMatchObject({ code: 'full' });
  expect(await log.append('s', [event('b')])).toMatchObject([{ sequence: 2 }]);
  expect(await log.read('s', 0)).toMatchObject({ events: [{ id: 'a' }, { id: 'b' }], last: 2 });
});

test('appends are answered while many streams expire', async () => {
  let time = 1;
  await using log = await openSqliteEventLog({ file: join(folder, 'many.db'), now: () => time, maxAgeMs: 1000 });
  await Promise.all(Array.from({ length: 5000 }, (_, n) => log.append(`s${n}`, events(3))));
  time += 1001;
  const order: string[] = [];
  const expired = log.expire().then(() => order.push('expired'));
  for (const n of [1, 2, 3]) {
    await log.append('live', [event(`live ${n}`)]);
    order.push(`append ${n}`);
  }
  await expired;
  expect(order).toEqual(['append 1', 'append 2', 'append 3', 'expired']);
  expect(await log.usage()).toMatchObject({ streams: 1 });
  expect(await log.read('s4999', 0)).toEqual({ events: [], last: 0 });
  expect((await log.read('live', 0)).last).toBe(3);
});

test('a stream with very many expired events is deleted in several steps, and completely', async () => {
  let time = 1;
  await using log = await openSqliteEventLog({ file: join(folder, 'long.db'), now: () => time, maxAgeMs: 1000 });
  for (let n = 0; n < 6; n++) await log.append('s', events(2000, `${n}-`));
  time += 1001;
  // An append deletes a limited number of events; later calls delete the rest.
  await log.append('s', [event('new')]);
  await log.append('s', [event('newer')]);
  expect((await log.read('s', 0)).missing?.to).toBeGreaterThanOrEqual(10_000);
  await log.expire();
  expect(await log.read('s', 0)).toMatchObject({ missing: { from: 1, to: 12_000 }, last: 12_002 });
  expect(await log.find('s', '5-2000')).toBeUndefined();
  expect(await log.usage()).toEqual({ streams: 1, bytes: '"new""newer"'.length });
});

test('closing does not wait for the whole expiry, and the next opening continues it', async () => {
  let time = 1;
  const options = { file: join(folder, 'closed.db'), now: () => time, maxAgeMs: 1000 };
  const log = await openSqliteEventLog(options);
  await Promise.all(Array.from({ length: 3000 }, (_, n) => log.append(`s${n}`, events(3))));
  time += 1001;
  const expired = log.expire();
  await log.close();
  await expired;
  await using again = await openSqliteEventLog(options);
  await again.expire();
  expect(await again.usage()).toEqual({ streams: 0, bytes: 0 });
});

test('the cost of an append does not grow with the number of known ids of evicted events', async () => {
  const costs: number[] = [];
  for (const known of [2000, 32_000]) {
    await using log = await openSqliteEventLog({ file: join(folder, `${known}.db`), maxBytes: 100 });
    for (let n = 0; n < known; n += 2000) await log.append('s', events(2000, `${n}-`));
    await costOf(log, 'warm');
    costs.push(Math.min(await costOf(log, 'a'), await costOf(log, 'b'), await costOf(log, 'c')));
  }
  const [few = 0, many = 0] = costs;
  expect(many / few).toBeLessThan(4);
});

/** The CPU time of 300 appends in microseconds. */
async function costOf(log: EventLog, prefix: string): Promise<number> {
  const before = process.cpuUsage();
  await Promise.all(events(300, prefix).map((one) => log.append('s', [one])));
  const { user, system } = process.cpuUsage(before);
  return user + system;
}
