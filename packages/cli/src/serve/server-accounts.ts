import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { type Account, type Accounts, createAccounts, openAccountsFile } from '@proto/ingress';
import { keepToken, ownTokenFile, readToken } from '../network/token-file.ts';
import { openToOthers } from '@proto/terminal/process';
import type { ServePlan } from './serve-plan.ts';

/** Who may use a server, and how a client learns the token. */
export interface ServerAccounts extends Accounts {
  /** Null where none is needed, and where accounts have their own. */
  readonly token: string | null;
  readonly tokenFile: string | null;
  /** The token by which this process is a driver: of nobody else, and never told. */
  readonly internalToken: string;
}

/** The accounts of a server: those of its file, the one token in it, or one that is made and kept. Rejects where the file holds neither. `warn` is told of a file that others can read. */
export async function openServerAccounts(
  { tokenFile, isOpen }: Pick<ServePlan, 'tokenFile' | 'isOpen'>,
  cwd: string,
  env: Readonly<Record<string, string | undefined>>,
  warn: (message: string) => void,
): Promise<ServerAccounts> {
  const internalToken = randomUUID() + randomUUID();
  const own = await createAccounts([{ ...DRIVER, name: 'server', token: internalToken }]);
  const file = isOpen ? null : (tokenFile ?? ownTokenFile(cwd, env));
  const advice = file === null ? undefined : await openToOthers(file);
  if (advice !== undefined) warn(advice);
  const { accounts, token } = await openFile(file, tokenFile !== undefined);
  return {
    anonymous: accounts.anonymous,
    authenticate: async (given) => (await own.authenticate(given)) ?? accounts.authenticate(given),
    isCurrent: async (account) =>
      (await own.isCurrent?.(account)) === true || (await accounts.isCurrent?.(account)) !== false,
    ...(accounts.watch && { watch: accounts.watch }),
    token,
    tokenFile: file,
    internalToken,
  };
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
