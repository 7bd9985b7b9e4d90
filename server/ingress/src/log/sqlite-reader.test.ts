/** Tests of a log that is opened for reading only while a server has the file open. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { event } from '../vitest/event-log-under-test.ts';
import { openSqliteEventLog } from './sqlite-event-log.ts';

const folder = mkdtempSync(join(tmpdir(), 'event-log-'));
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => void vi.useRealTimers());

const never = new AbortController().signal;

test('a tail of a reader yields what the server stores, stops looking when it has ended, and ends with its log', async () => {
  const file = join(folder, 'tail.db');
  await using server = await openSqliteEventLog({ file });
  await server.append('s', [event('a')]);
  await using reader = await openSqliteEventLog({ file, readOnly: true });
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const hints = reader.tail('s', 0, never)[Symbol.asyncIterator]();
  expect(await hints.next()).toEqual({ value: 1, done: false });
  const second = hints.next();
  await server.append('s', [event('b')]);
  vi.advanceTimersByTime(1000);
  expect(await second).toEqual({ value: 2, done: false });
  await hints.return?.();
  expect(vi.getTimerCount()).toBe(0);
  const other = reader.tail('s', 2, never)[Symbol.asyncIterator]();
  const end = other.next();
  await reader.close();
  expect(await end).toEqual({ value: undefined, done: true });
  expect(vi.getTimerCount()).toBe(0);
});

test('a reader cannot claim, and cannot write under a condition', async () => {
  const file = join(folder, 'claim.db');
  await using server = await openSqliteEventLog({ file });
  const { epoch = 0 } = await server.claim('s', 'a', 1000);
  await using reader = await openSqliteEventLog({ file, readOnly: true });
  const calls = [
    reader.claim('s', 'b', 1000),
    reader.release('s', epoch),
    reader.append('s', [event('a')], { epoch }),
    reader.writeDocument('s', 'd', 'text', { after: 0 }),
  ];
  for (const call of calls) await expect(call).rejects.toMatchObject({ code: 'read-only' });
});
