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
  return {
    async authenticate(token) {
      if (performance.now() - looked >= LOOK_EVERY_MS) {
        looked = performance.now();
        const latest = await changedAt().catch(() => changed);
        if (latest !== changed) {
          changed = latest;
          accounts = await read().catch(() => accounts);
        }
      }
      return accounts.authenticate(token);
    },
  };
}
