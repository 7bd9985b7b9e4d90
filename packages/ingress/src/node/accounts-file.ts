import { readFile, stat } from 'node:fs/promises';
import { type Accounts, createAccounts, parseAccounts } from '../auth/accounts.ts';

const LOOK_EVERY_MS = 1000;

/**
 * Accounts from a file, in the form of `parseAccounts`. The file is read again when it has changed, so that an account can be added
 * or taken away without a restart; one that is broken by a change keeps the accounts it had. Rejects where it cannot be read at first.
 */
export async function openAccountsFile(path: string): Promise<Accounts> {
  const read = async () => createAccounts(parseAccounts(await readFile(path, 'utf8')));
  const changedAt = async () => (await stat(path)).mtimeMs;
  let [changed, looked] = [await changedAt(), performance.now()];
  let accounts = await read();
  let looking: Promise<void> | undefined;
  const look = async () => {
    const now = await changedAt().catch(() => changed);
    if (now === changed) return;
    changed = now;
    accounts = await read().catch(() => accounts);
  };
  const latest = async () => {
    if (performance.now() - looked >= LOOK_EVERY_MS) {
      looked = performance.now();
      looking = look();
    }
    // Whoever comes meanwhile is not let in by what held before.
    await looking;
    return accounts;
  };
  return {
    authenticate: async (token) => (await latest()).authenticate(token),
    isCurrent: async (account) => (await (await latest()).isCurrent?.(account)) !== false,
  };
}
