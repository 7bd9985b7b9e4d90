/** Tests of the access to a store file: only its owner can read it, and one server at a time can use it. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { event } from '../vitest/event-log-under-test.ts';
import { openSqliteEventLog } from './sqlite-event-log.ts';
import type { EventLogWarning } from './store-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'event-log-'));
afterAll(() => rmSync(folder, { recursive: true }));

let count = 0;
function newFolder(): string {
  const path = join(folder, String(++count));
  mkdirSync(path);
  return path;
}
const newFile = () => join(newFolder(), 'log.db');
const modeOf = (file: string) => statSync(file).mode & 0o777;
const modesIn = (path: string) => Object.fromEntries(readdirSync(path).map((name) => [name, modeOf(join(path, name))]));

/** A server process that opens FILE, prints the outcome, stores a document, and stays. */
const SERVER = `
  // A log that is no longer referenced must keep the lock.
  const collected = async () => {
    for (let round = 0; round < 3; round++) {
      gc();
      await new Promise(setImmediate);
    }
  };
  process.umask(Number(process.argv[3] ?? '0o022'));
  const { openSqliteEventLog } = await import(process.argv[1]);
  const openAndForget = async () => {
    const log = await openSqliteEventLog({ file: process.argv[2] });
    await log.writeDocument('s', 'd', 'kept');
    await log.append('s', [{ id: 'e', type: 'user', source: 'client', payload: '{}' }]);
  };
  try {
    await openAndForget();
    setInterval(() => {}, 1000);
    await collected();
    console.log('open');
  } catch (error) {
    console.log(error.code + ': ' + error.message);
  }
`;
const BUILT = new URL('../../dist/index.js', import.meta.url).href;

async function serverOn(file: string, umask = '0o022'): Promise<{ child: ChildProcess; said: string }> {
  const args = ['--expose-gc', '--input-type=module', '-e', SERVER, BUILT, file, umask];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [said] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, said: String(said).trim() };
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

describe.skipIf(process.platform === 'win32')('the permissions of a store', () => {
  test.each(['0o000', '0o022', '0o277'])(
    'with umask %s only the owner of the store can use any of its files',
    async (umask) => {
      const file = newFile();
      const { said } = await serverOn(file, umask);
      expect(said).toBe('open');
      const owner = 0o600;
      expect(modesIn(join(file, '..'))).toEqual({
        'log.db': owner,
        'log.db-lock': owner,
        'log.db-shm': owner,
        'log.db-wal': owner,
      });
    },
  );

  test('a file that other users can access causes warnings, also for its side files, and is left unchanged', async () => {
    const file = newFile();
    await (await openSqliteEventLog({ file })).close();
    chmodSync(file, 0o644);
    writeFileSync(`${file}-wal`, '', { flag: 'a' });
    chmodSync(`${file}-wal`, 0o620);
    const warnings: EventLogWarning[] = [];
    const log = await openSqliteEventLog({ file, onWarning: (warning) => warnings.push(warning) });
    await log.close();
    expect(warnings).toMatchObject([
      {
        code: 'open-to-others',
        file,
        mode: 0o644,
        message: expect.stringContaining(`${file} is accessible to other users`),
      },
      { code: 'open-to-others', file: `${file}-wal`, mode: 0o620 },
    ]);
    expect(modeOf(file)).toBe(0o644);
    for (const each of warnings) chmodSync(each.file, 0o600);
    await (await openSqliteEventLog({ file, onWarning: (warning) => warnings.push(warning) })).close();
    expect(warnings).toHaveLength(2);
  });

  test('a symbolic link opens its target, and a dangling link is refused', async () => {
    const file = newFile();
    const link = join(newFolder(), 'link.db');
    symlinkSync(file, link);
    await expect(openSqliteEventLog({ file: link })).rejects.toMatchObject({
      code: 'failed',
      message: expect.stringContaining('ENOENT'),
    });
    expect(existsSync(file)).toBe(false);
    await (await openSqliteEventLog({ file })).close();
    await using log = await openSqliteEventLog({ file: link });
    await log.append('s', [event('e')]);
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(readdirSync(join(link, '..'))).toEqual(['link.db']);
    await expect(openSqliteEventLog({ file })).rejects.toMatchObject({ code: 'in-use' });
  });

  test('a file with a second hard link is refused, since a server on the other name would not be noticed', async () => {
    const file = newFile();
    await (await openSqliteEventLog({ file })).close();
    linkSync(file, `${file}-2`);
    for (const name of [file, `${file}-2`]) {
      await expect(openSqliteEventLog({ file: name })).rejects.toMatchObject({
        code: 'failed',
        message: expect.stringContaining('hard links'),
      });
    }
  });

  test('a path that is not a database file is refused', async () => {
    const path = newFolder();
    await expect(openSqliteEventLog({ file: path })).rejects.toMatchObject({
      code: 'failed',
      message: expect.stringContaining('not a regular file'),
    });
    await expect(openSqliteEventLog({ file: '/dev/null' })).rejects.toMatchObject({ code: 'failed' });
    await expect(openSqliteEventLog({ file: join(path, 'no', 'log.db') })).rejects.toMatchObject({
      code: 'failed',
      message: expect.stringContaining('ENOENT'),
    });
    expect(readdirSync(path)).toEqual([]);
    const garbage = join(path, 'garbage.db');
    writeFileSync(garbage, 'no database, but long enough to be looked at by whoever opens it'.repeat(100));
    for (const readOnly of [false, true]) {
      await expect(openSqliteEventLog({ file: garbage, readOnly })).rejects.toMatchObject({
        name: 'EventLogError',
        code: 'failed',
      });
    }
  });

  test('any name is a path of a file, also one that looks like a URL', async () => {
    const path = newFolder();
    const names = [':memory:', 'file:a.db?mode=memory', 'http:', 'a b%41#?.db'];
    const before = process.cwd();
    process.chdir(path);
    try {
      for (const file of names) {
        const log = await openSqliteEventLog({ file });
        await log.append('s', [event('e')]);
        await log.close();
        await using reader = await openSqliteEventLog({ file, readOnly: true });
        expect((await reader.read('s', 0)).last).toBe(1);
      }
    } finally {
      process.chdir(before);
    }
    expect(readdirSync(path)).toEqual(expect.arrayContaining(names));
  });
});

describe('one server at a time', () => {
  test('a second open in the same process is refused until the first log is closed', async () => {
    const file = newFile();
    const log = await openSqliteEventLog({ file });
    const message = expect.stringMatching(/log\.db is in use by another server; stop that server, or use another file/);
    await expect(openSqliteEventLog({ file })).rejects.toMatchObject({
      name: 'EventLogError',
      code: 'in-use',
      message,
    });
    await log.append('s', [event('e')]);
    await log.close();
    await using again = await openSqliteEventLog({ file });
    expect((await again.read('s', 0)).last).toBe(1);
  });

  test('a second process is refused, and can open the store as soon as the first was killed', async () => {
    const file = newFile();
    const first = await serverOn(file);
    expect(first.said).toBe('open');
    expect((await serverOn(file)).said).toMatch(/^in-use: event log: .*log\.db is in use by another server/);
    await expect(openSqliteEventLog({ file })).rejects.toMatchObject({ code: 'in-use' });
    // Neither refused servers nor readers have released the lock of the first server.
    await (await openSqliteEventLog({ file, readOnly: true })).close();
    expect((await serverOn(file)).said).toMatch(/^in-use/);
    await kill(first.child);
    const log = await openSqliteEventLog({ file });
    expect(await log.readDocument('s', 'd')).toBe('kept');
    expect((await serverOn(file)).said).toMatch(/^in-use/);
    await log.close();
    expect((await serverOn(file)).said).toBe('open');
  });

  test('a file that was refused is not locked', async () => {
    const file = newFile();
    writeFileSync(file, 'no database, but long enough to be looked at by whoever opens it'.repeat(100));
    await expect(openSqliteEventLog({ file })).rejects.toMatchObject({ code: 'failed' });
    rmSync(file);
    await (await openSqliteEventLog({ file })).close();
  });

  test('when many servers open a store at once, exactly one succeeds', async () => {
    const file = newFile();
    const outcomes = await Promise.all(Array.from({ length: 4 }, () => serverOn(file)));
    const codes = outcomes.map(({ said }) => said.split(':')[0]);
    expect(codes.filter((code) => code === 'open')).toHaveLength(1);
    expect(codes.filter((code) => code === 'in-use')).toHaveLength(3);
  });
});

describe('a store opened for reading only', () => {
  test('reads committed data while a server has the store open, and refuses to write', async () => {
    const file = newFile();
    const { child } = await serverOn(file);
    await using reader = await openSqliteEventLog({ file, readOnly: true });
    expect(await reader.read('s', 0)).toMatchObject({ last: 1, events: [{ id: 'e', payload: '{}' }] });
    expect(await reader.find('s', 'e')).toMatchObject({ sequence: 1 });
    expect(await reader.usage()).toEqual({ streams: 1, bytes: 6 });
    const writes = [reader.append('s', [event('x')]), reader.writeDocument('s', 'd', 'other'), reader.expire()];
    for (const write of writes) await expect(write).rejects.toMatchObject({ name: 'EventLogError', code: 'read-only' });
    await kill(child);
    await using server = await openSqliteEventLog({ file });
    await server.append('s', [event('later')]);
    expect((await reader.read('s', 1)).events).toMatchObject([{ id: 'later' }]);
    expect(await reader.readDocument('s', 'd')).toBe('kept');
    await reader.close();
    await expect(reader.read('s', 0)).rejects.toMatchObject({ code: 'closed' });
  });

  test('creates no files without a server, and sees the data of a server that starts later', async () => {
    const source = newFile();
    const { child } = await serverOn(source);
    const copy = newFile();
    // The backup command of the documentation.
    const backup = `const { default: Libsql } = await import('libsql'); new Libsql(process.argv[1]).exec("VACUUM INTO '" + process.argv[2] + "'")`;
    expect(
      spawnSync(process.execPath, ['--input-type=module', '-e', backup, source, copy], {
        cwd: fileURLToPath(new URL('.', import.meta.url)),
      }).status,
    ).toBe(0);
    await kill(child);
    chmodSync(copy, 0o400);
    await using reader = await openSqliteEventLog({ file: copy, readOnly: true });
    expect((await reader.read('s', 0)).last).toBe(1);
    expect(readdirSync(join(copy, '..'))).toEqual(['log.db']);
    chmodSync(copy, 0o600);
    await using server = await openSqliteEventLog({ file: copy });
    await server.append('s', [event('later')]);
    expect((await reader.read('s', 0)).last).toBe(2);
  });

  test('is refused and not created when the file does not exist or contains no log', async () => {
    const file = newFile();
    await expect(openSqliteEventLog({ file, readOnly: true })).rejects.toMatchObject({ code: 'failed' });
    expect(readdirSync(join(file, '..'))).toEqual([]);
    writeFileSync(file, '');
    await expect(openSqliteEventLog({ file, readOnly: true })).rejects.toMatchObject({
      code: 'failed',
      message: expect.stringContaining('does not contain an event log'),
    });
    expect(readdirSync(join(file, '..'))).toEqual(['log.db']);
  });
});
