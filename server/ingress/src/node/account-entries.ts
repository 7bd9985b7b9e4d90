import { createHash, randomBytes } from 'node:crypto';
import { chmod, chown, link, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { type Account, type AccountEntry, createAccounts, parseAccounts } from '../auth/accounts.ts';

/** A new token, and the entry of its account. The entry contains the hash of the token, not the token itself. */
export interface NewToken {
  /** The bearer token, which the server cannot show again, because the accounts file contains only its hash. */
  readonly token: string;
  /** The account with the hash of the token, for an accounts file. */
  readonly entry: AccountEntry;
}

/** Creates a token of 256 random bits for an account. */
export function createToken({ name, role, sessions }: Account): NewToken {
  const token = randomBytes(32).toString('base64url');
  return { token, entry: { name, role, ...(sessions && { sessions }), token_sha256: hashOf(token) } };
}

/**
 * Adds an account to an accounts file. A missing file is created with access for its owner only. The file is replaced as a whole, and a running
 * server reads the new file within a second.
 * @throws TypeError if the file is not a list of accounts, or already contains the name with other rights
 */
export async function addAccount(file: string, entry: AccountEntry): Promise<void> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{"accounts":[]}';
    throw error;
  });
  const accounts = [...parseAccounts(text), entry];
  await createAccounts(accounts);
  const others = JSON.parse(text) as object;
  const before = await stat(file).catch(() => undefined);
  const made = `${file}.${process.pid}`;
  await rm(made, { force: true });
  try {
    await writeFile(made, `${JSON.stringify({ ...others, accounts }, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
    // The server may run as a different user than the user who adds an account.
    if (before !== undefined) {
      await chown(made, before.uid, before.gid);
      await chmod(made, before.mode & 0o777);
    }
    await rename(made, file);
  } finally {
    await rm(made, { force: true });
  }
}

/**
 * Creates a token for an account. With `accountsFile`, the account is added to that file, as `addAccount` does. With `tokenFile`, the token is
 * written to a new file that only its owner can read. If one of these two writes fails, the completed write is undone.
 * @throws Error if `tokenFile` exists, and the errors of `addAccount`
 */
export async function makeToken(
  account: Account,
  { accountsFile, tokenFile }: { readonly accountsFile?: string | undefined; readonly tokenFile?: string | undefined },
): Promise<NewToken> {
  const made = createToken(account);
  if (tokenFile !== undefined) await writeNew(tokenFile, `${made.token}\n`);
  try {
    if (accountsFile !== undefined) await addAccount(accountsFile, made.entry);
  } catch (error) {
    if (tokenFile !== undefined) await rm(tokenFile, { force: true });
    throw error;
  }
  return made;
}

/** The information that a token contains. This information does not prove that a server accepts the token. */
export type TokenFacts =
  /** A random string. An accounts file contains the `sha256` of the string instead of the string. */
  | { readonly kind: 'opaque'; readonly sha256: string; readonly account?: Account | undefined }
  | {
      /** Whether the token is for the worker of a session, or was made by an issuer. */
      readonly kind: 'worker' | 'issuer';
      readonly header: Readonly<Record<string, unknown>>;
      readonly claims: Readonly<Record<string, unknown>>;
      /** Undefined for a token that does not expire. */
      readonly expiresAt?: Date | undefined;
      readonly hasExpired: boolean;
    };

/** Reads the information that a token contains. The account of an opaque token is looked up in `accountsText`, the text of an accounts file. */
export async function inspectToken(token: string, accountsText?: string, now = Date.now()): Promise<TokenFacts> {
  try {
    const [header, claims] = [decodeProtectedHeader(token), decodeJwt(token)];
    const expiresAt = claims.exp === undefined ? undefined : new Date(claims.exp * 1000);
    // Only worker tokens name a session and no issuer.
    const kind = claims.iss === undefined && claims.sub?.startsWith('cse_') ? 'worker' : 'issuer';
    return { kind, header: { ...header }, claims, expiresAt, hasExpired: expiresAt !== undefined && +expiresAt <= now };
  } catch {
    const sha256 = hashOf(token);
    if (accountsText === undefined) return { kind: 'opaque', sha256 };
    const accounts = await createAccounts(parseAccounts(accountsText));
    return { kind: 'opaque', sha256, account: await accounts.authenticate(token) };
  }
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** Writes a new file that only its owner can read. Fails if a file with that name exists. */
async function writeNew(file: string, content: string): Promise<void> {
  const made = `${file}.${process.pid}`;
  await rm(made, { force: true });
  try {
    await writeFile(made, content, { mode: 0o600, flag: 'wx' });
    await link(made, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new Error(`${file} already exists and was not changed: choose another file`, { cause: error });
  } finally {
    await rm(made, { force: true });
  }
}
