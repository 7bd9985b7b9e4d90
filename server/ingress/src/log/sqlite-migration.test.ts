/** Tests of files that an older version wrote, and of damaged files. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Libsql, { type Database } from 'libsql';
import { afterAll, expect, test } from 'vitest';
import { event } from '../vitest/event-log-under-test.ts';
import { openSqliteEventLog } from './sqlite-event-log.ts';
import { FROM_VERSION_1 } from './sqlite-schema.ts';

const folder = mkdtempSync(join(tmpdir(), 'event-log-'));
afterAll(() => rmSync(folder, { recursive: true }));

let count = 0;
const newFile = () => join(folder, `${++count}.db`);
const NOW = Date.UTC(2030, 0, 1);
const now = () => NOW;

/** The tables as version 1 created them. */
const VERSION_1 = `
  PRAGMA journal_mode = WAL;
  CREATE TABLE streams (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    first INTEGER NOT NULL DEFAULT 1,
    last INTEGER NOT NULL DEFAULT 0,
    bytes INTEGER NOT NULL DEFAULT 0,
    written_at INTEGER NOT NULL
  );
  CREATE TABLE events (
    stream INTEGER NOT NULL,
    sequence INTEGER NOT NULL,
    id TEXT NOT NULL,
    type TEXT NOT NULL,
    source TEXT NOT NULL,
    payload TEXT,
    attributes TEXT,
    bytes INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    UNIQUE (stream, sequence),
    UNIQUE (stream, id)
  );
  CREATE TABLE documents (
    stream INTEGER NOT NULL,
    name TEXT NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (stream, name)
  );
  PRAGMA user_version = 1;
`;

const answerTo = (request_id: unknown) => JSON.stringify({ type: 'control_response', response: { request_id } });
const alice = JSON.stringify({ sender: 'alice' });

type Row = readonly [type: string, source: string, payload: string | null, attributes: string | null];
const ROWS: readonly Row[] = [
  ['user', 'client', null, null],
  ['control_response', 'client', null, null],
  ['assistant', 'worker', '{"n":3}', null],
  ['user', 'client', '{"n":4}', alice],
  ['control_response', 'client', answerTo('r-1'), alice],
  ['control_response', 'client', answerTo(1), '{"sender":1}'],
  ['control_response', 'client', '{"response":{"request_id":"r-2"', '{"sender":'],
  ['control_response', 'client', '[[["no object"]]]', '[]'],
  ['control_response', 'worker', answerTo('r-3'), null],
  ['control_response', 'client', '{"response":{"request_id":"\\ud83d"}}', '{"sender":"\\ud83d"}'],
];

/** Writes a file of version 1 with one stream whose first two payloads were dropped. */
function writeVersion1(file: string): void {
  const database = new Libsql(file);
  database.exec(VERSION_1);
  database.exec(`INSERT INTO streams VALUES (1, 's', 3, ${ROWS.length}, 100, ${NOW})`);
  const insert = database.prepare('INSERT INTO events VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?)');
  ROWS.forEach(([type, source, payload, attributes], index) =>
    insert.run(index + 1, `e${index + 1}`, type, source, payload, attributes, 10, NOW),
  );
  database.prepare('INSERT INTO documents VALUES (1, ?, ?)').run('d', 'ää');
  database.close();
}

function inFile<Result>(file: string, work: (database: Database) => Result): Result {
  const database = new Libsql(file);
  try {
    return work(database);
  } finally {
    database.close();
  }
}

const versionOf = (database: Database) =>
  (database.prepare('PRAGMA user_version').get() as { readonly user_version: number }).user_version;

test('a file of version 1 is migrated, and owners and topics are derived from the stored events', async () => {
  const file = newFile();
  writeVersion1(file);
  await using log = await openSqliteEventLog({ file, now });
  const found = await Promise.all(ROWS.map((_, index) => log.find('s', `e${index + 1}`)));
  expect(found.slice(0, 9).map((known) => [known?.owner, known?.topic])).toEqual([
    [undefined, 'user'],
    [undefined, undefined],
    ['worker', undefined],
    ['client:alice', 'user'],
    ['client:alice', 'control_response:r-1'],
    [undefined, undefined],
    [undefined, undefined],
    [undefined, undefined],
    ['worker', undefined],
  ]);
  // Invalid UTF-8 in a name must not fail the migration.
  expect(found[9]?.owner).toMatch(/^client:./);
  const { events, last, missing } = await log.read('s', 0);
  expect({ last, missing }).toEqual({ last: 10, missing: { from: 1, to: 2 } });
  expect(events.map(({ payload }) => payload)).toEqual(ROWS.slice(2).map(([, , payload]) => payload));
  expect(await log.readDocument('s', 'd')).toBe('ää');
  expect(await log.usage()).toEqual({ streams: 1, bytes: 104 });
  const echo = { owner: 'worker', spareId: 'spare' };
  expect(
    await log.append('s', [
      { ...event('e5'), ...echo, echoes: 'control_response:r-1' },
      { ...event('e4'), owner: 'client:alice' },
      { ...event('e4'), ...echo, echoes: 'control_response:r-1' },
    ]),
  ).toMatchObject([
    { sequence: 5, duplicate: true },
    { sequence: 4, duplicate: true },
    { id: 'spare', sequence: 11 },
  ]);
});

test('a process that dies during the migration leaves version 1, and the next process migrates the file', async () => {
  const file = newFile();
  writeVersion1(file);
  const dying = `
    import Libsql from 'libsql';
    const database = new Libsql(process.argv[1]);
    database.exec('PRAGMA cache_size = 1; BEGIN IMMEDIATE;' + process.argv[2]);
    process.kill(process.pid, 'SIGKILL');
  `;
  const child = spawn(process.execPath, ['--input-type=module', '-e', dying, file, FROM_VERSION_1], {
    cwd: import.meta.dirname,
    stdio: 'inherit',
  });
  expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
  expect(inFile(file, versionOf)).toBe(1);
  expect(inFile(file, (old) => old.prepare('SELECT count(*) AS n FROM events').get())).toMatchObject({
    n: ROWS.length,
  });
  await (await openSqliteEventLog({ file, now })).close();
  expect(inFile(file, versionOf)).toBe(4);
});

test('a file of a newer version is refused and left unchanged', async () => {
  const file = newFile();
  await (await openSqliteEventLog({ file })).close();
  inFile(file, (database) => database.exec('PRAGMA user_version = 99'));
  await expect(openSqliteEventLog({ file })).rejects.toMatchObject({ name: 'EventLogError', code: 'version' });
  expect(inFile(file, versionOf)).toBe(99);
});

test('a damaged row is skipped, and a payload that is not JSON is returned as it is', async () => {
  const file = newFile();
  const log = await openSqliteEventLog({ file, now });
  await log.append(
    's',
    [1, 2, 3, 4, 5, 6, 7, 8].map((n) => event(`e${n}`)),
  );
  await log.close();
  inFile(file, (database) =>
    database.exec(`
      UPDATE events SET payload = NULL WHERE sequence = 1;
      UPDATE events SET payload = x'ff00' WHERE sequence = 2;
      UPDATE events SET payload = zeroblob(9) WHERE sequence = 3;
      UPDATE events SET payload = '{"cut' WHERE sequence = 4;
      UPDATE events SET payload = CAST(x'22ff0022' AS TEXT) WHERE sequence = 5;
      DELETE FROM events WHERE sequence = 6;
      UPDATE events SET payload = '' WHERE sequence = 7;
      UPDATE events SET payload = NULL WHERE sequence = 8;
    `),
  );
  await using again = await openSqliteEventLog({ file, now });
  const { events, missing, last } = await again.read('s', 0);
  expect(events.map(({ sequence, payload }) => [sequence, payload])).toEqual([
    [4, '{"cut'],
    [5, '"\ufffd\0"'],
    [7, ''],
  ]);
  expect([missing, last]).toEqual([undefined, 8]);
  // A reader after the last good event advances.
  expect(await again.read('s', 7)).toEqual({ events: [], last: 8, missing: { from: 8, to: 8 } });
  expect(await again.append('s', [event('e9')])).toMatchObject([{ sequence: 9 }]);
});

test('damaged rows expire like all others', async () => {
  const file = newFile();
  const log = await openSqliteEventLog({ file, now });
  await log.append(
    's',
    [1, 2, 3].map((n) => event(`e${n}`)),
  );
  await log.close();
  inFile(file, (database) => database.exec('DELETE FROM events WHERE sequence = 2; UPDATE events SET payload = NULL'));
  await using again = await openSqliteEventLog({ file, now: () => NOW + 1001, maxAgeMs: 1000 });
  await again.writeDocument('s', 'd', '');
  await again.expire();
  expect(await again.read('s', 0)).toEqual({ events: [], last: 3, missing: { from: 1, to: 3 } });
});
