/** Tests that files with session contents, cursors or tokens are readable only by their owner. */
import { chmodSync, closeSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { openPrivateFile } from '@proto/recording/node';
import { createTap } from '@proto/remote/bridge';
import { createCursorFile, createRecorder } from '@proto/terminal';
import { openToOthers } from '@proto/terminal/process';
import { keepToken } from '@proto/remote/node';

const folder = mkdtempSync(join(tmpdir(), 'private-'));
afterAll(() => rmSync(folder, { recursive: true }));

const modeOf = (file: string) => statSync(file).mode & 0o777;

describe.skipIf(process.platform === 'win32')('a file that other users could read becomes private', () => {
  test.each<[string, (file: string) => void]>([
    ['a recording', (file) => void createRecorder(file).end()],
    ['a tap', (file) => createTap(openPrivateFile(file), () => {}).close()],
  ])('%s', (name, write) => {
    const file = join(folder, name);
    writeFileSync(file, 'before');
    chmodSync(file, 0o666);
    write(file);
    expect(modeOf(file)).toBe(0o600);
  });

  test('a device keeps its permissions', () => {
    const before = modeOf('/dev/null');
    const device = openPrivateFile('/dev/null');
    writeSync(device, 'gone');
    closeSync(device);
    expect(modeOf('/dev/null')).toBe(before);
  });

  test('a cursor', async () => {
    const file = join(folder, 'cursor');
    const cursor = createCursorFile(file, 'cse_1');
    cursor.save('1');
    await cursor.flush();
    expect(modeOf(file)).toBe(0o600);
  });

  test('a token is not written to a file that another user has put at its temporary path', async () => {
    const own = join(folder, 'tokens');
    const file = join(own, 'token');
    await keepToken(file);
    rmSync(file);
    const planted = `${file}.${process.pid}`;
    writeFileSync(planted, 'theirs');
    chmodSync(planted, 0o666);
    const token = await keepToken(file);
    expect(token).not.toBe('theirs');
    expect(modeOf(file)).toBe(0o600);
    expect(readdirSync(own)).toEqual(['token']);
  });
});

test.skipIf(process.platform === 'win32')(
  'the command in the warning about a file open to others is quoted for the shell',
  async () => {
    const file = join(folder, "it's mine");
    writeFileSync(file, '');
    chmodSync(file, 0o604);
    expect(await openToOthers(file)).toBe(
      `${file} is accessible to other users of this machine (mode 604): run chmod 600 '${file.replace("'", "'\\''")}'`,
    );
    chmodSync(file, 0o600);
    expect(await openToOthers(file)).toBeUndefined();
    expect(await openToOthers('/dev/null')).toBeUndefined();
    expect(await openToOthers(join(folder, 'none'))).toBeUndefined();
  },
);
