import { type Accounts, createAccounts } from './accounts.ts';

/** Accounts with one more, which nobody but this process can use. */
export interface AccountsWithInternal extends Accounts {
  /** The token of the internal account, a driver. Never show it: it is for calls within this process, such as those of local agents. */
  readonly internalToken: string;
}

/** Adds a driver to the accounts of a server, with a random token that exists in this process alone. */
export async function addInternalAccount(accounts: Accounts): Promise<AccountsWithInternal> {
  const internalToken = crypto.randomUUID() + crypto.randomUUID();
  const own = await createAccounts([{ name: 'server', role: 'driver', token: internalToken }]);
  return {
    anonymous: accounts.anonymous,
    authenticate: async (token) => (await own.authenticate(token)) ?? accounts.authenticate(token),
    isCurrent: async (account) =>
      (await own.isCurrent?.(account)) === true || (await accounts.isCurrent?.(account)) !== false,
    ...(accounts.watch && { watch: (listener) => accounts.watch?.(listener) ?? (() => {}) }),
    internalToken,
  };
}
