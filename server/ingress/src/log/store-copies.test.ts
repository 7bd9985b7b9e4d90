/** Tests of copies of a store in a file: backup while a server writes, check, restore, migration. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { event } from '../vitest/event-log-under-test.ts';
import { checkStoreFile } from './check-store.ts';
import { openSqliteEventLog } from './sqlite-event-log.ts';
import { backupStoreFile, migrateStoreFile, restoreStoreFile } from './store-copies.ts';

const folder = mkdtempSync(join(tmpdir(), 'store-copies-'));
afterAll(() => rmSync(folder, { recursive: true }));

let count = 0;
/** A path in a new folder. */
const newPath = (name = 'log.db') => join(mkdtempSync(join(folder, `${++count}-`)), name);

/** A store with three events and a document, which no server has open. */
async function newStore(): Promise<string> {
  const file = newPath();
  await using log = await openSqliteEventLog({ file });
  await log.append('cse_1', [event('a'), event('b'), event('c')]);
  await log.writeDocument('cse_1', 'session', '{}');
  return file;
}

async function idsIn(file: string, stream: string): Promise<readonly string[]> {
  await using log = await openSqliteEventLog({ file, readOnly: true });
  const ids: string[] = [];
  for (;;) {
    const { events } = await log.read(stream, ids.length);
    if (events.length === 0) return ids;
    ids.push(...events.map(({ id }) => id));
  }
}

/** A server process that appends without a pause, four at a time, and writes each id after it was acknowledged. */
const WRITER = `
  import { writeSync } from 'node:fs';
  const { openSqliteEventLog } = await import(process.argv[1]);
  const log = await openSqliteEventLog({ file: process.argv[2] });
  const payload = JSON.stringify({ text: '.'.repeat(2000) });
  const append = async (stream) => {
    for (let n = 0; ; n++) {
      const id = stream + '-' + n;
      await log.append(stream, [{ id, type: 'user', source: 'client', payload }]);
      writeSync(1, id + '\\n');
    }
  };
  await Promise.all(['a', 'b', 'c', 'd'].map(append));
`;
const BUILT = new URL('../../dist/index.js', import.meta.url).href;

async function startWriter(file: string): Promise<{ child: ChildProcess; acknowledged: () => readonly string[] }> {
  const args = ['--input-type=module', '-e', WRITER, BUILT, file];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (more: string) => (text += more));
  await once(child.stdout, 'data');
  return { child, acknowledged: () => text.split('\n').slice(0, -1) };
}

test('a backup under load restores with nothing missing that was acknowledged before it, and nothing in between', async () => {
  const file = newPath();
  const { child, acknowledged } = await startWriter(file);
  for (let round = 1; round <= 5; round++) {
    await expect.poll(() => acknowledged().length, { timeout: 20_000 }).toBeGreaterThan(round * 200);
    const before = acknowledged();
    const copy = newPath('copy.db');
    await backupStoreFile(file, copy);
    expect(await checkStoreFile(copy)).toMatchObject({ problems: [] });
    const restored = newPath();
    await restoreStoreFile(copy, restored);
    const kept = (await Promise.all(['a', 'b', 'c', 'd'].map((stream) => idsIn(restored, stream)))).flat();
    expect(before.filter((id) => !kept.includes(id))).toEqual([]);
    for (const stream of ['a', 'b', 'c', 'd']) {
      const ids = kept.filter((id) => id.startsWith(stream));
      expect(ids).toEqual(ids.map((_, n) => `${stream}-${n}`));
    }
  }
  // The server continues to write during and after the backup.
  const seen = acknowledged().length;
  await expect.poll(() => acknowledged().length).toBeGreaterThan(seen);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(await checkStoreFile(file)).toMatchObject({ problems: [] });
});

test('a backup belongs to its owner alone, is one file, replaces no file, and leaves no file when it fails', async () => {
  const file = await newStore();
  const copy = newPath('copy.db');
  await backupStoreFile(file, copy);
  expect(statSync(copy).mode & 0o777).toBe(0o600);
  expect(readdirSync(join(copy, '..'))).toEqual(['copy.db']);
  await expect(backupStoreFile(file, copy)).rejects.toMatchObject({
    code: 'failed',
    message: expect.stringContaining('already exists'),
  });
  const nowhere = newPath('copy.db');
  await expect(backupStoreFile(join(nowhere, '..', 'none.db'), nowhere)).rejects.toMatchObject({ code: 'failed' });
  writeFileSync(join(nowhere, '..', 'text.db'), 'no database at all');
  await expect(backupStoreFile(join(nowhere, '..', 'text.db'), nowhere)).rejects.toMatchObject({ code: 'failed' });
  expect(existsSync(nowhere)).toBe(false);
});

test('a restore keeps the store that it replaces, and replaces one only with the option `replace`', async () => {
  const file = await newStore();
  const copy = newPath('copy.db');
  await backupStoreFile(file, copy);
  {
    await using log = await openSqliteEventLog({ file });
    await log.append('cse_1', [event('later')]);
  }
  await expect(restoreStoreFile(copy, file)).rejects.toMatchObject({
    message: expect.stringContaining('already exists'),
  });
  expect(await idsIn(file, 'cse_1')).toEqual(['a', 'b', 'c', 'later']);
  const { replaced, sessions, events } = await restoreStoreFile(copy, file, { replace: true });
  expect([sessions, events]).toEqual([1, 3]);
  expect(await idsIn(file, 'cse_1')).toEqual(['a', 'b', 'c']);
  expect(await idsIn(String(replaced), 'cse_1')).toEqual(['a', 'b', 'c', 'later']);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  // A server continues with the number after the end of the copy.
  await using log = await openSqliteEventLog({ file });
  expect(await log.append('cse_1', [event('next')])).toMatchObject([{ sequence: 4 }]);
});

test('a store that a server has open is not replaced and not migrated', async () => {
  const file = await newStore();
  const copy = newPath('copy.db');
  await backupStoreFile(file, copy);
  const { child } = await startWriter(file);
  await expect(restoreStoreFile(copy, file, { replace: true })).rejects.toMatchObject({ code: 'in-use' });
  await expect(migrateStoreFile(file)).rejects.toMatchObject({ code: 'in-use' });
  // The file alone is also refused as a copy, because it is incomplete without its side files.
  await expect(restoreStoreFile(file, newPath())).rejects.toMatchObject({
    message: expect.stringContaining('is in use'),
  });
  child.kill('SIGKILL');
  await once(child, 'exit');
});

test('a damaged copy is not restored, and the store stays', async () => {
  const file = await newStore();
  const copy = newPath('copy.db');
  await backupStoreFile(file, copy);
  const bytes = readFileSync(copy);
  bytes.fill(0xff, 4096 * 2, 4096 * 4);
  writeFileSync(copy, bytes);
  await expect(restoreStoreFile(copy, file, { replace: true })).rejects.toMatchObject({ code: 'failed' });
  expect(await idsIn(file, 'cse_1')).toEqual(['a', 'b', 'c']);
});

test('a check finds events without a session, events after the end, missing events, and messages that are not JSON', async () => {
  const file = await newStore();
  expect(await checkStoreFile(file)).toEqual({
    version: 4,
    sessions: 1,
    events: 3,
    bytes: expect.any(Number),
    problems: [],
  });
  const database = new Database(file);
  database.exec(`
    UPDATE events SET sequence = 9 WHERE id = 'c';
    UPDATE events SET payload = '{"cut' WHERE id = 'a';
    DELETE FROM events WHERE id = 'b';
    INSERT INTO events SELECT 77, sequence, id, type, source, payload, attributes, bytes, created_at, owner, topic FROM events WHERE id = 'c'`);
  database.close();
  const { problems } = await checkStoreFile(file);
  expect(problems).toEqual([
    '1 events that do not belong to any session',
    '1 events after the end of their session',
    '1 events whose message is not JSON (readers do not get them)',
    '1 missing events between other events of a session',
  ]);
});

test('events that retention has dropped are not a problem', async () => {
  const file = newPath();
  {
    await using log = await openSqliteEventLog({ file, maxBytes: 100 });
    for (let n = 0; n < 20; n++) await log.append('cse_1', [event(`${n}`)]);
  }
  expect(await checkStoreFile(file)).toMatchObject({ problems: [] });
});

test('a file that is not a store gets another error than a damaged store', async () => {
  const empty = newPath();
  new Database(empty).close();
  writeFileSync(empty, '');
  await expect(checkStoreFile(empty)).rejects.toMatchObject({
    code: 'failed',
    message: expect.stringContaining('does not contain an event log'),
  });
  const newer = await newStore();
  const database = new Database(newer);
  database.exec('PRAGMA user_version = 99');
  database.close();
  await expect(checkStoreFile(newer)).rejects.toMatchObject({ code: 'version' });
});

test('a migration returns the versions, and leaves a file of the present version as it is', async () => {
  const file = await newStore();
  expect(await migrateStoreFile(file)).toEqual({ from: 4, to: 4 });
  const database = new Database(file);
  database.exec('DROP TABLE epochs; DROP TABLE log; DROP TABLE earlier; PRAGMA user_version = 2');
  database.close();
  expect(await migrateStoreFile(file)).toEqual({ from: 2, to: 4 });
  expect(await idsIn(file, 'cse_1')).toEqual(['a', 'b', 'c']);
});

test.skipIf(process.platform === 'win32' || process.getuid?.() === 0)(
  'a folder that may not be written is named',
  async () => {
    const file = await newStore();
    const copy = newPath('copy.db');
    chmodSync(join(copy, '..'), 0o500);
    await expect(backupStoreFile(file, copy)).rejects.toMatchObject({
      code: 'failed',
      message: expect.stringContaining('EACCES'),
    });
  },
);
