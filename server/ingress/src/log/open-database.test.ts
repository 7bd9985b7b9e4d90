import { expect, test } from 'vitest';
import { sqliteError } from './open-database.ts';

test.each([
  [{ code: 'SQLITE_NOTADB', message: 'x' }, 'event log: the file is not a database (SQLITE_NOTADB)'],
  [{ code: 'SQLITE_ERROR', message: 'x' }, 'event log: SQLITE_ERROR'],
  [{ code: '', message: 'unable to open database file' }, 'event log: unable to open database file'],
  [new Error('a library without codes'), 'event log: a library without codes'],
  [{}, 'event log: the store does not report the reason'],
])('the message of a store error is never empty: %j', (cause, message) => {
  expect(sqliteError(cause).message).toBe(message);
});
