import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SignJWT } from 'jose';
import { afterAll, expect, test } from 'vitest';
import { createAccounts, parseAccounts } from '../auth/accounts.ts';
import { startIngress } from '../ingress.test-support.ts';
import { addAccount, createToken, inspectToken } from './account-entries.ts';

const folder = mkdtempSync(join(tmpdir(), 'accounts-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('an account that is added is accepted by its token, and the file has only the hash', async () => {
  const file = join(folder, 'new.json');
  const { token, entry } = createToken({ name: 'alice', role: 'approver', sessions: ['cse_1'] });
  await addAccount(file, entry);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const text = readFileSync(file, 'utf8');
  expect(text).not.toContain(token);
  const accounts = await createAccounts(parseAccounts(text));
  expect(await accounts.authenticate(token)).toEqual({ name: 'alice', role: 'approver', sessions: ['cse_1'] });
  expect(createToken({ name: 'alice', role: 'viewer' }).token).not.toBe(token);
});

test('a file keeps its other accounts, its other members and its permissions', async () => {
  const file = join(folder, 'old.json');
  const old = { accounts: [{ name: 'bob', role: 'viewer', token: 'the-token-of-bob-0123' }], comment: 'mine' };
  writeFileSync(file, JSON.stringify(old));
  chmodSync(file, 0o640);
  const { entry } = createToken({ name: 'alice', role: 'driver' });
  await addAccount(file, entry);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ ...old, accounts: [...old.accounts, entry] });
  expect(statSync(file).mode & 0o777).toBe(0o640);
  const { entry: other } = createToken({ name: 'bob', role: 'driver' });
  await expect(addAccount(file, other)).rejects.toThrow('but different rights');
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ accounts: { length: 2 } });
});

test('a file that is not a list of accounts is left as it is', async () => {
  const file = join(folder, 'one-token');
  writeFileSync(file, 'a-token-of-a-server-0123\n');
  await expect(addAccount(file, createToken({ name: 'a', role: 'viewer' }).entry)).rejects.toThrow('not JSON');
  expect(readFileSync(file, 'utf8')).toBe('a-token-of-a-server-0123\n');
});

test('an opaque token shows its hash and its account, and never itself', async () => {
  const { token, entry } = createToken({ name: 'alice', role: 'driver' });
  const facts = await inspectToken(token, JSON.stringify({ accounts: [entry] }));
  expect(facts).toMatchObject({ kind: 'opaque', account: { name: 'alice', role: 'driver' } });
  expect(JSON.stringify(facts)).not.toContain(token);
  expect(await inspectToken('another-token-0123456', JSON.stringify({ accounts: [entry] }))).toMatchObject({
    account: undefined,
  });
});

test('the token of a worker and that of an issuer show their claims and their end', async () => {
  const { newSession } = await startIngress();
  const { id, claimLease } = await newSession();
  const { token } = await claimLease();
  expect(await inspectToken(token)).toMatchObject({ kind: 'worker', claims: { sub: id }, hasExpired: false });
  const secret = new TextEncoder().encode('x'.repeat(32));
  const issued = await new SignJWT({ iss: 'https://issuer.example', sub: 'alice', exp: 100 })
    .setProtectedHeader({ alg: 'HS256' })
    .sign(secret);
  expect(await inspectToken(issued)).toMatchObject({
    kind: 'issuer',
    header: { alg: 'HS256' },
    expiresAt: new Date(100_000),
    hasExpired: true,
  });
});
