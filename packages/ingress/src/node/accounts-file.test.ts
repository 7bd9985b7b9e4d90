import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHash } from 'node:crypto';
import { afterAll, expect, test, vi } from 'vitest';
import { openAccountsFile } from './accounts-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'accounts-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = join(folder, 'accounts.json');
const token = (name: string) => `${name}-0123456789abcdef`;

let changes = 0;
function write(value: unknown): void {
  writeFileSync(file, typeof value === 'string' ? value : JSON.stringify({ accounts: value }));
  utimesSync(file, ++changes, changes);
}

test('tokens and their hashes are known, and nothing else', async () => {
  write([
    { name: 'a', role: 'driver', token: token('a') },
    {
      name: 'b',
      role: 'viewer',
      token_sha256: createHash('sha256').update(token('b')).digest('hex').toUpperCase(),
      sessions: ['cse_1'],
    },
  ]);
  const accounts = await openAccountsFile(file);
  expect(await accounts.authenticate(token('a'))).toEqual({ name: 'a', role: 'driver' });
  expect(await accounts.authenticate(token('b'))).toEqual({ name: 'b', role: 'viewer', sessions: ['cse_1'] });
  expect(await accounts.authenticate(token('c'))).toBeUndefined();
});

test('a change of the file holds without a restart, and a broken file changes nothing', async () => {
  write([{ name: 'a', role: 'driver', token: token('a') }]);
  const clock = vi.spyOn(performance, 'now');
  const accounts = await openAccountsFile(file);
  const later = async (of: string) => {
    clock.mockReturnValue(performance.now() + 1000);
    return (await accounts.authenticate(token(of)))?.name;
  };
  write([{ name: 'b', role: 'driver', token: token('b') }]);
  expect([await later('b'), await later('a')]).toEqual(['b', undefined]);
  write('{');
  expect(await later('b')).toBe('b');
  rmSync(file);
  expect(await later('b')).toBe('b');
  clock.mockRestore();
});

test('an account is current as long as its token says the same of it', async () => {
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => ({ name, role: 'driver', token: token(name) }));
  write([a, b, c, d]);
  const clock = vi.spyOn(performance, 'now');
  const accounts = await openAccountsFile(file);
  const known = await Promise.all(['a', 'b', 'c', 'd'].map((name) => accounts.authenticate(token(name))));
  const current = () => Promise.all(known.map(async (account) => account && accounts.isCurrent?.(account)));
  expect(await current()).toEqual([true, true, true, true]);
  // One stays, one has another token, one another role, and one is gone.
  write([a, { ...b, token: token('other') }, { ...c, role: 'viewer' }]);
  clock.mockReturnValue(performance.now() + 1000);
  expect(await current()).toEqual([true, false, false, false]);
  clock.mockRestore();
});

test.each([
  ['no JSON', 'secret-that-must-not-show'],
  ['no list', '{}'],
  ['no role', [{ name: 'a', token: token('a') }]],
  ['a short token', [{ name: 'a', role: 'driver', token: 'short' }]],
  ['no token', [{ name: 'a', role: 'driver' }]],
  ['a limit that is no list', [{ name: 'a', role: 'driver', token: token('a'), sessions: 'cse_1' }]],
])('%s is refused, without a word of what it says', async (_, content) => {
  write(content);
  const error = await openAccountsFile(file).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(TypeError);
  expect(String(error)).not.toMatch(/secret|0123456789/);
});
