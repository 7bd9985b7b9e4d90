import { expect, test, vi } from 'vitest';
import { addInternalAccount, createAccounts, parseAccounts } from './accounts.ts';

test('the internal account is a driver in addition to the given accounts, and only its own token authenticates it', async () => {
  const given = await createAccounts([{ name: 'reader', role: 'viewer', token: 'a-token-of-a-reader' }]);
  const accounts = await addInternalAccount(given);
  const internal = await accounts.authenticate(accounts.internalToken);
  expect(internal).toMatchObject({ role: 'driver' });
  const reader = await accounts.authenticate('a-token-of-a-reader');
  expect(reader).toMatchObject({ name: 'reader', role: 'viewer' });
  expect(await accounts.authenticate('a-token-of-nobody')).toBeUndefined();
  expect((await addInternalAccount(given)).internalToken).not.toBe(accounts.internalToken);
});

test('no account has the name worker, by which viewers know the side of the agent', async () => {
  const entry = { name: 'worker', role: 'driver', token: 'a-token-of-a-worker' } as const;
  await expect(createAccounts([entry])).rejects.toThrow(
    'entry 1 has the name "worker", which is reserved: choose another name',
  );
});

test('the given accounts decide which accounts are current; the internal account always is', async () => {
  const given = { authenticate: async () => undefined, isCurrent: async () => false };
  const accounts = await addInternalAccount(given);
  const internal = await accounts.authenticate(accounts.internalToken);
  expect(internal && (await accounts.isCurrent?.(internal))).toBe(true);
  expect(await accounts.isCurrent?.({ name: 'gone', role: 'viewer' })).toBe(false);
});

test('watching listens to changes of the given accounts', async () => {
  const stop = vi.fn();
  const watch = vi.fn(() => stop);
  const accounts = await addInternalAccount({ authenticate: async () => undefined, watch });
  const listener = vi.fn();
  expect(accounts.watch?.(listener)).toBe(stop);
  expect(watch).toHaveBeenCalledWith(listener);
  expect((await addInternalAccount({ authenticate: async () => undefined })).watch).toBeUndefined();
});

test.each([
  '{"accounts":[{"name":"a","role":"viewer","role":"driver","token":"a-token-of-a-viewer"}]}',
  '{"accounts":[],"accounts":[]}',
])('accounts with the same member twice are refused, as one of the two would be lost: %s', (text) => {
  expect(() => parseAccounts(text)).toThrow('the same member twice');
});
