import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fileReason, messageFor } from './file-reason.ts';

function errorOf(action: () => void): Error {
  try {
    action();
  } catch (error) {
    return error as Error;
  }
  throw new Error('nothing was thrown');
}

const MISSING = join(tmpdir(), 'no-such-folder', 'notes.jsonl');

test.each([
  ['a missing file', () => readFileSync(MISSING), `cannot open ${MISSING}: no such file or directory`],
  ['a missing folder', () => readdirSync(MISSING), `cannot read ${MISSING}: no such file or directory`],
  ['a folder to write to', () => writeFileSync(tmpdir(), ''), /^cannot open .*: illegal operation on a directory$/],
  ['an error that is about no file', () => JSON.parse('{'), /JSON/],
])('the message for %s has a sentence and no code', (_, action, expected) => {
  const message = messageFor(errorOf(action));
  expect(message).toEqual(typeof expected === 'string' ? expected : expect.stringMatching(expected));
  expect(message).not.toMatch(/\bE[A-Z]{4,}\b/);
});

test('the reason of an error without a file is its code, or else its message', () => {
  expect(fileReason(errorOf(() => readFileSync(tmpdir())))).toBe('illegal operation on a directory');
  expect(fileReason(Object.assign(new Error('text'), { code: 'ERR_OTHER' }))).toBe('ERR_OTHER');
  expect(fileReason(new Error('text'))).toBe('text');
  expect(fileReason('thrown')).toBe('thrown');
});
