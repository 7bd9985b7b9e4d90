import { readFile } from 'node:fs/promises';
import {
  type Account,
  type Accounts,
  type AccountsWithInternal,
  addInternalAccount,
  createAccounts,
  openAccountsFile,
} from '@proto/ingress';
import { addJwtAccounts } from '@proto/ingress/operate';
import { keepToken, readToken } from '@proto/remote';
import { openToOthers } from '@proto/terminal/process';
import { ownTokenFile } from '../token-file.ts';
import type { ServePlan } from './serve-plan.ts';

/** The accounts of a server, and how a client learns its token. */
export interface ServerAccounts extends AccountsWithInternal {
  /** Null if clients need no token, and where the accounts of a file have their own tokens. */
  readonly token: string | null;
  readonly tokenFile: string | null;
}

/**
 * Opens the accounts of a server: those of the given file, else one account with the token of that file, or of the server's own file, which is made
 * where it is missing. Rejects if the given file holds neither. `warn` is told of a file that other users can read.
 */
export async function openServerAccounts(
  { tokenFile, isOpen, jwt }: Pick<ServePlan, 'tokenFile' | 'isOpen' | 'jwt'>,
  cwd: string,
  env: Readonly<Record<string, string | undefined>>,
  warn: (message: string) => void,
): Promise<ServerAccounts> {
  const file = isOpen ? null : (tokenFile ?? ownTokenFile(cwd, env));
  const advice = file === null ? undefined : await openToOthers(file);
  if (advice !== undefined) warn(advice);
  const { accounts, token } = await openFile(file, tokenFile !== undefined);
  const all = jwt === undefined ? accounts : addJwtAccounts(accounts, jwt);
  return { ...(await addInternalAccount(all)), token, tokenFile: file };
}

const DRIVER: Account = { name: 'driver', role: 'driver' };

async function openFile(file: string | null, isGiven: boolean): Promise<{ accounts: Accounts; token: string | null }> {
  if (file === null) return { accounts: { anonymous: DRIVER, authenticate: async () => DRIVER }, token: null };
  if (isGiven && (await readFile(file, 'utf8')).trimStart().startsWith('{')) {
    return { accounts: await openAccountsFile(file), token: null };
  }
  const token = isGiven ? await readToken(file) : await keepToken(file);
  return { accounts: await createAccounts([{ ...DRIVER, token }]), token };
}
