import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { type Account, AccountsError } from '../auth/accounts.ts';
import { openAccountsFile } from './accounts-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'accounts-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = join(folder, 'accounts.json');
beforeEach(() => rmSync(file, { recursive: true, force: true }));
const token = (name: string) => `${name}-0123456789abcdef`;
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

let changes = 0;
function write(value: unknown): void {
  writeFileSync(file, typeof value === 'string' ? value : JSON.stringify({ accounts: value }));
  utimesSync(file, ++changes, changes);
}

test('tokens and token hashes authenticate their accounts, and other tokens do not', async () => {
  write([
    { name: 'a', role: 'driver', token: token('a') },
    {
      name: 'b',
      role: 'viewer',
      token_sha256: sha256(token('b')).toUpperCase(),
      sessions: ['cse_1'],
    },
  ]);
  const accounts = await openAccountsFile(file);
  expect(await accounts.authenticate(token('a'))).toEqual({ name: 'a', role: 'driver' });
  expect(await accounts.authenticate(token('b'))).toEqual({ name: 'b', role: 'viewer', sessions: ['cse_1'] });
  expect(await accounts.authenticate(token('c'))).toBeUndefined();
});

/** Opens the accounts file with a clock that advances by more than a second for each look-up. */
async function open() {
  const clock = vi.spyOn(performance, 'now');
  onTestFinished(() => clock.mockRestore());
  const accounts = await openAccountsFile(file);
  const soon = () => void clock.mockReturnValue(performance.now() + 1500);
  const later = async (of: string) => {
    soon();
    return (await accounts.authenticate(token(of)))?.name;
  };
  return { accounts, soon, later };
}

const a = { name: 'a', role: 'driver', token: token('a') };
const b = { name: 'b', role: 'driver', token: token('b') };

test('a change of the file takes effect without a restart', async () => {
  write([a]);
  const { later } = await open();
  write([b]);
  expect([await later('b'), await later('a')]).toEqual(['b', undefined]);
});

const LISTED = JSON.stringify({ accounts: [a] });

test.each<[what: string, breakIt: () => void]>([
  ['removed', () => rmSync(file)],
  ['emptied', () => write('')],
  ['an incomplete list', () => write(LISTED.slice(0, -3))],
  ['no list', () => write('{}')],
  ['a token twice', () => write([a, { ...b, token: a.token }])],
  ['a name twice, with other rights', () => write([a, { ...b, name: 'a', role: 'viewer' }])],
  ['a folder', () => (rmSync(file), mkdirSync(file))],
  ['a link to nothing', () => (rmSync(file), symlinkSync(join(folder, 'nothing'), file))],
  ['a device', () => (rmSync(file), symlinkSync('/dev/zero', file))],
  ...(process.getuid?.() === 0 ? [] : [['not readable', () => chmodSync(file, 0)] as [string, () => void]]),
])('the accounts file causes an error for everybody until it is valid again: %s', async (_, breakIt) => {
  write([a]);
  const { accounts, soon, later } = await open();
  const known = (await accounts.authenticate(a.token)) as Account;
  breakIt();
  soon();
  const first = await accounts.authenticate(a.token).catch((error: unknown) => error);
  expect(first).toBeInstanceOf(AccountsError);
  expect(String(first)).toContain(file);
  expect(String(first)).toContain('all requests are refused');
  expect(String(first)).not.toContain('0123456789');
  soon();
  // The same error object, so that the error is reported once.
  expect(await accounts.isCurrent?.(known).catch((error: unknown) => error)).toBe(first);
  expect(await accounts.authenticate(a.token).catch((error: unknown) => error)).toBe(first);
  rmSync(file, { recursive: true, force: true });
  write([a, b]);
  expect([await later('a'), await later('b')]).toEqual(['a', 'b']);
  expect(await accounts.isCurrent?.(known)).toBe(true);
});

test('a file that is restored unchanged is accepted again', async () => {
  write([a]);
  const { accounts, soon, later } = await open();
  write('');
  soon();
  await expect(accounts.authenticate(a.token)).rejects.toBeInstanceOf(AccountsError);
  write([a]);
  expect(await later('a')).toBe('a');
});

test('a file that is only half written is read again', async () => {
  write([a]);
  const { accounts, soon } = await open();
  write('{"accounts":[');
  soon();
  const asked = accounts.authenticate(b.token);
  const finish = setTimeout(() => write([b]), 20);
  expect(await asked).toMatchObject({ name: 'b' });
  clearTimeout(finish);
});

test('a change that keeps the size and the times of the file is noticed', async () => {
  write([a]);
  const { later } = await open();
  expect(await later('a')).toBe('a');
  const { atimeNs, mtimeNs, size } = statSync(file, { bigint: true });
  writeFileSync(file, JSON.stringify({ accounts: [b] }));
  utimesSync(file, Number(atimeNs) / 1e9, Number(mtimeNs) / 1e9);
  expect(statSync(file, { bigint: true })).toMatchObject({ mtimeNs, size });
  expect([await later('b'), await later('a')]).toEqual(['b', undefined]);
});

test('an empty list refuses everybody without an error', async () => {
  write([a]);
  const { later } = await open();
  write([]);
  expect(await later('a')).toBeUndefined();
});

test('one account may have two tokens while one of them is replaced', async () => {
  write([a, { ...a, token: token('new') }]);
  const { later } = await open();
  expect([await later('a'), await later('new')]).toEqual(['a', 'a']);
});

test('a watcher is notified of each change and each failure without a request', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  write([a]);
  const accounts = await openAccountsFile(file);
  const onChange = vi.fn();
  const stop = accounts.watch?.(onChange);
  const nextNotice = async () => {
    const before = onChange.mock.calls.length;
    vi.advanceTimersByTime(1000);
    await vi.waitFor(() => expect(onChange).toHaveBeenCalledTimes(before + 1));
    return onChange.mock.lastCall?.[0] as unknown;
  };
  write([b]);
  expect(await nextNotice()).toBeUndefined();
  rmSync(file);
  expect(await nextNotice()).toBeInstanceOf(AccountsError);
  write([b]);
  expect(await nextNotice()).toBeUndefined();
  stop?.();
  expect(vi.getTimerCount()).toBe(0);
});

test('an account is current as long as its token maps to the same name, role and sessions', async () => {
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => ({ name, role: 'driver', token: token(name) }));
  write([a, b, c, d]);
  const clock = vi.spyOn(performance, 'now');
  onTestFinished(() => clock.mockRestore());
  const accounts = await openAccountsFile(file);
  const known = await Promise.all(['a', 'b', 'c', 'd'].map((name) => accounts.authenticate(token(name))));
  const current = () => Promise.all(known.map(async (account) => account && accounts.isCurrent?.(account)));
  expect(await current()).toEqual([true, true, true, true]);
  // The first account is unchanged, the second has another token, the third another role, and the fourth is removed.
  write([a, { ...b, token: token('other') }, { ...c, role: 'viewer' }]);
  clock.mockReturnValue(performance.now() + 1500);
  expect(await current()).toEqual([true, false, false, false]);
});

test.each<[what: string, content: unknown]>([
  ['no JSON', 'secret-that-must-not-show'],
  ['no list', '{}'],
  ['no role', [{ name: 'a', token: token('a') }]],
  ['a short token', [{ name: 'a', role: 'driver', token: 'short' }]],
  ['no token', [{ name: 'a', role: 'driver' }]],
  ['a token twice', [a, { ...b, token: a.token }]],
  ['a token and its hash', [a, { name: 'b', role: 'viewer', token_sha256: sha256(a.token) }]],
  ['a name twice, with another role', [a, { ...a, role: 'viewer', token: b.token }]],
  ['a name twice, with other sessions', [a, { ...a, sessions: ['cse_1'], token: b.token }]],
  ['a limit that is not a list', [{ name: 'a', role: 'driver', token: token('a'), sessions: 'cse_1' }]],
])('%s is refused, and the error does not quote the file', async (_, content) => {
  write(content);
  const error = await openAccountsFile(file).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(TypeError);
  expect(String(error)).not.toMatch(/secret|0123456789/);
});
