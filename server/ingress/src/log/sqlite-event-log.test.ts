import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Libsql, { type Database } from 'libsql';
import { afterAll, expect, test, vi } from 'vitest';
import { event } from '../vitest/event-log-under-test.ts';
import { testEventLog } from '../vitest/index.ts';
import { type EventLog, EventLogError } from './event-log.ts';
import { openSqliteEventLog } from './sqlite-event-log.ts';
import { backupStoreFile, restoreStoreFile } from './store-copies.ts';

// The store has its own connection. The tests limit its pages, which SQLite reports as a full disk.
const prepare = vi.spyOn(Libsql.prototype, 'prepare');
/** The connection that was opened last. */
const opened = () => [...new Set(prepare.mock.contexts)].at(-1) as Database;

const folder = mkdtempSync(join(tmpdir(), 'event-log-'));
afterAll(() => rmSync(folder, { recursive: true }));

let count = 0;
const newFile = () => join(folder, `${++count}.db`);
const files = new WeakMap<EventLog, string>();

async function open(file: string, options = {}) {
  const log = await openSqliteEventLog({ ...options, file });
  files.set(log, file);
  return log;
}

testEventLog({
  name: 'SQLite',
  open: (options) => open(newFile(), options),
  room(_, enough) {
    const database = opened();
    const { page_count } = database.prepare('PRAGMA page_count').get() as { readonly page_count: number };
    database.exec(`PRAGMA max_page_count = ${enough ? 1_000_000 : page_count + 10}`);
  },
  reopen: (log, options) => open(files.get(log) ?? '', options),
  async restore(log, lose, options) {
    const [file, copy] = [files.get(log) ?? '', newFile()];
    await backupStoreFile(file, copy);
    await lose();
    await restoreStoreFile(copy, file, { replace: true });
    return open(file, options);
  },
});

test('a file that cannot be opened is a typed error', async () => {
  await expect(open(join(folder, 'no', 'folder.db'))).rejects.toMatchObject({ code: 'failed' });
});

test('a commit is synced to the disk, and the writes of one turn share it', async () => {
  const log = await open(newFile());
  const database = opened();
  expect(database.prepare('PRAGMA journal_mode').get()).toMatchObject({ journal_mode: 'wal' });
  // The value 2 means FULL.
  expect(database.prepare('PRAGMA synchronous').get()).toMatchObject({ synchronous: 2 });
  const statements = vi.spyOn(database, 'exec');
  const writes = [1, 2, 3].map((n) => log.append('s', [event(`e${n}`)]));
  await Promise.all([...writes, log.writeDocument('s', 'd', 'text')]);
  expect(statements.mock.calls).toEqual([['BEGIN IMMEDIATE'], ['COMMIT']]);
  await log.close();
});

test('an epoch whose commit failed is not given to anybody else, also not after a restart', async () => {
  const file = newFile();
  const log = await open(file);
  const database = opened();
  const exec = database.exec.bind(database);
  const failing = vi.spyOn(database, 'exec').mockImplementation((sql) => {
    if (sql === 'COMMIT') throw new Error('the disk has failed');
    return exec(sql);
  });
  await expect(log.claim('s', 'a', 1000)).rejects.toSatisfy(EventLogError.is);
  failing.mockRestore();
  const { epoch = 0 } = await log.claim('s', 'a', 1000);
  expect(epoch).toBeGreaterThan(0);
  await log.close();
  await using again = await open(file);
  // The process of node a has ended, so no node has to wait for the claim of node a.
  expect((await again.claim('s', 'b', 1000)).epoch).toBeGreaterThan(epoch);
});

test('a renewal changes nothing in the file', async () => {
  await using log = await open(newFile());
  await log.claim('s', 'a', 1000);
  const changes = () => (opened().prepare('SELECT total_changes() AS n').get() as { readonly n: number }).n;
  const before = changes();
  await log.claim('s', 'a', 1000);
  expect(changes()).toBe(before);
});
