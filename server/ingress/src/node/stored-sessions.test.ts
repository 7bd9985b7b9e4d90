import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { startIngress, user } from '../ingress.test-support.ts';
import { openSqliteEventLog } from '../log/sqlite-event-log.ts';
import { openStoredSessions } from './stored-sessions.ts';

const folder = mkdtempSync(join(tmpdir(), 'stored-sessions-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('the sessions of a file are listed, shown, read and deleted, with their parts', async () => {
  const file = join(folder, 'log.db');
  const log = await openSqliteEventLog({ file });
  const { newSession, ingress, call } = await startIngress({ log });
  const [first, second] = [await newSession(), await newSession()];
  await first.send([user('what-nobody-may-find')]);
  const worker = await first.claimLease();
  await worker.mark({ event_id: 'uuid-what-nobody-may-find', status: 'processed' });
  await second.send([user('b')]);

  // The store is read while the server runs.
  const stored = await openStoredSessions(file);
  const { sessions, next } = await stored.list();
  expect(sessions.map(({ id }) => id)).toEqual([second.id, first.id]);
  expect(next).toBeUndefined();
  expect(await stored.show(first.id)).toMatchObject({ title: 'a title', worker_epoch: 1, last_sequence_num: 1 });
  const { lines, next: end } = await stored.eventsAfter(first.id, '0');
  // The lines are the same as in the answer of the server.
  const { body } = await call(`${first.base}/events`, { token: 'viewer-token-0123456789', method: 'GET' });
  expect(lines.map((line) => JSON.parse(line) as object)).toEqual(body['data']);
  expect(await stored.eventsAfter(first.id, end)).toMatchObject({ lines: [], next: '1', end: '1' });
  await expect(stored.remove(first.id)).rejects.toMatchObject({ code: 'in-use' });
  await expect(stored.show('cse_none')).rejects.toThrow('the session cse_none does not exist');
  await expect(stored.eventsAfter('cse_none', '0')).rejects.toThrow('the session cse_none does not exist');
  await stored.close();
  await ingress.drain();
  await log.close();

  const alone = await openStoredSessions(file);
  expect(await alone.remove(first.id)).toBe('removed');
  expect((await alone.list()).sessions.map(({ id }) => id)).toEqual([second.id]);
  await alone.close();
  await using again = await openSqliteEventLog({ file });
  expect(await again.read(`${first.id}/marks`, 0)).toMatchObject({ events: [], last: 0 });
  expect(readFileSync(file).includes('what-nobody-may-find')).toBe(false);
});
