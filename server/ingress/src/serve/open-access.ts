import {
  type Account,
  type Accounts,
  AccountsError,
  type AccountsWithInternal,
  addInternalAccount,
  createAccounts,
} from '../auth/accounts.ts';
import { openAccountsFile } from '../node/accounts-file.ts';
import { addJwtAccounts } from '../node/jwt-accounts.ts';
import type { AccessOptions } from './serve-options.ts';

const DRIVER: Account = { name: 'driver', role: 'driver' };

/**
 * Opens the accounts of a server, with an additional account for calls within this process.
 *
 * @throws AccountsError if the accounts file or the keys of an issuer cannot be used. The message contains no token
 */
export async function openAccess(access: AccessOptions): Promise<AccountsWithInternal> {
  try {
    const local = await openLocal(access);
    return await addInternalAccount(access.jwt === undefined ? local : addJwtAccounts(local, access.jwt));
  } catch (cause) {
    throw new AccountsError((cause as Error).message, { cause });
  }
}

async function openLocal(access: AccessOptions): Promise<Accounts> {
  if ('accountsFile' in access) return openAccountsFile(access.accountsFile);
  if ('token' in access) return createAccounts([{ ...DRIVER, token: access.token }]);
  return { anonymous: DRIVER, authenticate: async () => DRIVER };
}

/**
 * Calls `onRestored` when the accounts can be read again. The server itself reports the error that made them unavailable. Returns the function that
 * stops watching.
 */
export function watchRecovery({ watch }: Accounts, onRestored: () => void): () => void {
  let isBroken = false;
  return (
    watch?.((trouble) => {
      if (isBroken && trouble === undefined) onRestored();
      isBroken = trouble !== undefined;
    }) ?? (() => {})
  );
}
