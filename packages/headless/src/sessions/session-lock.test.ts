import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { SJP_HOME } from '../run.test-support.ts';
import { lockSession, SessionInUseError } from './session-lock.ts';

const newPath = () => join(mkdtempSync(join(SJP_HOME, 'lock-')), 'session.jsonl');

function refusalOf(path: string): SessionInUseError {
  try {
    lockSession(path, 's');
  } catch (error) {
    if (error instanceof SessionInUseError) return error;
    throw error;
  }
  throw new Error('the lock was given');
}

/** The pid of a process that has ended. */
async function endedProcess(): Promise<number> {
  const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
  await once(child, 'exit');
  return child.pid ?? 0;
}

const holder = (members: object) =>
  JSON.stringify({ pid: process.pid, host: hostname(), began: '', token: 't', ...members });

test('one process has a lock at a time, and its release leaves no file', () => {
  const path = newPath();
  const release = lockSession(path, 's');
  expect(statSync(`${path}.lock`).mode & 0o777).toBe(0o600);
  expect(refusalOf(path)).toMatchObject({ sessionId: 's', processId: process.pid, lockFile: `${path}.lock` });
  release();
  expect(readdirSync(dirname(path))).toEqual([]);
  lockSession(path, 's')();
});

test('the lock of a process that was killed does not count', async () => {
  const path = newPath();
  writeFileSync(`${path}.lock`, holder({ pid: await endedProcess() }));
  const release = lockSession(path, 's');
  expect(JSON.parse(readFileSync(`${path}.lock`, 'utf8'))).toMatchObject({ pid: process.pid });
  expect(readdirSync(dirname(path))).toEqual(['session.jsonl.lock']);
  release();
});

test.runIf(process.platform === 'linux')(
  'the lock of a killed process counts no more when its pid is used again',
  () => {
    const path = newPath();
    writeFileSync(`${path}.lock`, holder({ began: '1' }));
    lockSession(path, 's')();
  },
);

test('the lock of another machine counts, because its process cannot be checked', async () => {
  const path = newPath();
  writeFileSync(`${path}.lock`, holder({ pid: await endedProcess(), host: 'elsewhere' }));
  expect(refusalOf(path).message).toMatch(/in use by process \d+ on elsewhere: .* delete .*session\.jsonl\.lock/);
});

test.each(['', '{"pid":', '{"pid":-1,"host":"x","token":"t"}', '{"pid":1,"host":"x","token":"../../x"}'])(
  'a lock that cannot be read counts: %s',
  (text) => {
    const path = newPath();
    writeFileSync(`${path}.lock`, text);
    expect(refusalOf(path)).toMatchObject({ processId: undefined });
    expect(readFileSync(`${path}.lock`, 'utf8')).toBe(text);
  },
);

test('a process that was slow to take over a lock does not remove the lock of the next holder', async () => {
  const path = newPath();
  // Another process is just taking over this lock.
  writeFileSync(`${path}.lock`, holder({ pid: await endedProcess() }));
  writeFileSync(`${path}.lock.t`, holder({ token: 'claim' }));
  expect(refusalOf(path)).toMatchObject({ processId: undefined });
  expect(existsSync(`${path}.lock`)).toBe(true);
});

test('a release takes away only the own lock', () => {
  const path = newPath();
  const release = lockSession(path, 's');
  writeFileSync(`${path}.lock`, holder({ token: 'other' }));
  release();
  expect(existsSync(`${path}.lock`)).toBe(true);
});
