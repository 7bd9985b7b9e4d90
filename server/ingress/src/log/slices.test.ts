/** Tests that no call holds up other work for long, however many streams a store has. They count what is touched. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Libsql, { type Database } from 'libsql';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { events } from '../vitest/event-log-under-test.ts';
import { createMemoryEventLog } from './memory-event-log.ts';
import { MemoryStream } from './memory-stream.ts';
import { EXPIRE_SLICE as MEMORY_SLICE } from './memory-streams.ts';
import { EXPIRE_SLICE, openSqliteEventLog } from './sqlite-event-log.ts';

const folder = mkdtempSync(join(tmpdir(), 'slices-'));
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => vi.restoreAllMocks());

test('memory: the expiry of very many streams lets other work run after each slice', async () => {
  let time = 1;
  await using log = createMemoryEventLog({ now: () => time, maxAgeMs: 1000 });
  for (let n = 0; n < 10_000; n++) await log.append(`s${n}`, events(1));
  time += 1000;
  const expire = vi.spyOn(MemoryStream.prototype, 'expire');
  const touched = countedInTurns(() => expire.mock.calls.filter(([now]) => now === time).length);
  await log.expire();
  expect(touched.total()).toBe(10_000);
  expect(touched.most()).toBeLessThanOrEqual(MEMORY_SLICE);
  time += 1;
  await log.expire();
  expect(await log.usage()).toEqual({ streams: 0, bytes: 0 });
});

test('memory: very many events of one stream expire in slices, and completely', async () => {
  let time = 1;
  await using log = createMemoryEventLog({ now: () => time, maxAgeMs: 1000 });
  for (let n = 0; n < 5; n++) await log.append('s', events(2000, `${n}-`));
  time += 1000;
  await log.append('s', events(1, 'new-'));
  time += 1;
  const { mock } = vi.spyOn(MemoryStream.prototype, 'expire');
  await log.expire();
  const dropped = mock.results.filter((_, n) => mock.calls[n]?.[0] === time).map(({ value }) => value as number);
  expect(Math.max(...dropped)).toBeLessThanOrEqual(MEMORY_SLICE);
  expect(dropped.length).toBeGreaterThanOrEqual(10_000 / MEMORY_SLICE);
  expect(await log.read('s', 0)).toMatchObject({ missing: { from: 1, to: 10_000 }, last: 10_001 });
  expect(await log.find('s', '4-2000')).toBeUndefined();
});

test('memory: a page of streams costs the same however many there are', async () => {
  let time = 1;
  await using log = createMemoryEventLog({ now: () => time, maxAgeMs: 1000 });
  for (let n = 0; n < 1000; n++) {
    if (n === 500) time += 1000;
    await log.append(`s${n}`, events(1));
    await log.append(`s${n}/part`, events(1));
  }
  time += 1;
  await log.expire();
  expect(await log.listStreams({ limit: 3 })).toEqual(['s999', 's998', 's997']);
  expect(await log.listStreams({ before: 's501', limit: 3 })).toEqual(['s500']);
  expect(await log.listStreams({ before: 's499', limit: 3 })).toEqual([]);
  const includes = vi.spyOn(String.prototype, 'includes');
  await log.listStreams({ before: 's990', limit: 3 });
  const asked = includes.mock.calls.length;
  expect(asked).toBeLessThan(20);
});

test('file: the expiry of very many streams is many short transactions', async () => {
  let time = 1;
  const prepare = vi.spyOn(Libsql.prototype, 'prepare');
  await using log = await openSqliteEventLog({ file: join(folder, 'many.db'), now: () => time, maxAgeMs: 1000 });
  const database = prepare.mock.contexts[0] as Database;
  await Promise.all(Array.from({ length: 1000 }, (_, n) => log.append(`s${n}`, events(2))));
  time += 1001;
  const statement = Object.getPrototypeOf(database.prepare('SELECT 1')) as { run(): void; get(): void };
  const run = vi.spyOn(statement, 'run');
  const get = vi.spyOn(statement, 'get');
  const counts: number[] = [];
  const exec = vi.spyOn(database, 'exec');
  const whole = exec.getMockImplementation() ?? Libsql.prototype.exec.bind(database);
  exec.mockImplementation((sql) => {
    if (sql === 'COMMIT') counts.push(run.mock.calls.length + get.mock.calls.length);
    run.mockClear();
    get.mockClear();
    return whole(sql);
  });
  await log.expire();
  expect(counts.length).toBeGreaterThanOrEqual(1000 / EXPIRE_SLICE);
  // Each stream needs one statement to be found, and a few statements for each of its events and for itself.
  expect(Math.max(...counts)).toBeLessThanOrEqual(6 * EXPIRE_SLICE);
  expect(await log.usage()).toEqual({ streams: 0, bytes: 0 });
});

test('file: a page of events takes few statements, and a page of one event reads one', async () => {
  const prepare = vi.spyOn(Libsql.prototype, 'prepare');
  await using log = await openSqliteEventLog({ file: join(folder, 'page.db') });
  const database = prepare.mock.contexts[0] as Database;
  await log.append('s', events(1000));
  const get = vi.spyOn(Object.getPrototypeOf(database.prepare('SELECT 1')) as { get(): unknown }, 'get');
  expect((await log.read('s', 100)).events).toHaveLength(500);
  expect(get.mock.calls.length).toBeLessThanOrEqual(12);
  get.mockClear();
  expect((await log.read('s', 100, { maxEvents: 1 })).events).toMatchObject([{ sequence: 101 }]);
  const { value } = get.mock.results.at(-1) as { readonly value: unknown };
  const { numbers } = value as { readonly numbers: string };
  expect(numbers.split(',')[0]).toBe('101');
  expect(numbers.split(',')).toHaveLength(9);
});

/** Watches how a count grows between two turns of the event loop. */
function countedInTurns(count: () => number) {
  let most = 0;
  let before = 0;
  const look = () => {
    most = Math.max(most, count() - before);
    before = count();
    timer = setImmediate(look);
  };
  let timer = setImmediate(look);
  return {
    total: count,
    most() {
      clearImmediate(timer);
      return Math.max(most, count() - before);
    },
  };
}
