import { parseConfig, RepeatedNameError } from '@proto/core/internal';
import { findError } from '@proto/core/transport';
import { isObject, objectOf } from '../json/values.ts';

/**
 * What an account may do with a session:
 * - `viewer` may read · `approver` may also answer the agent's requests · `driver` may do everything
 */
export type Role = 'driver' | 'approver' | 'viewer';

/** A user of the server, and the rights of the user. */
export interface Account {
  /** The name, unique among the accounts. The server stores it with each event that the account sends. The name `worker` is reserved. */
  readonly name: string;
  /** What the account may do with the sessions it can access. */
  readonly role: Role;
  /** The only sessions that the account may access. If this member is absent, the account may access all sessions. */
  readonly sessions?: readonly string[] | undefined;
}

/** An account with the secret that proves it. */
export type AccountEntry = Account & ({ readonly token: string } | { readonly token_sha256: string });

/**
 * Finds accounts by their tokens. If a call rejects, the accounts are not available: requests are refused with status 503, open WebSockets end with
 * 1013, and clients try again. Reject with an `AccountsError`, and with the same object until the accounts are available again: `onError` of the
 * server is called once for each `AccountsError`, and every time for any other error.
 */
export interface Accounts {
  /** The account that clients without a token use; absent if every client needs a token. */
  readonly anonymous?: Account | undefined;
  /** The account of a token; undefined for an unknown token. Requests with an unknown token are refused with status 401. */
  authenticate(token: string): Promise<Account | undefined>;
  /**
   * Whether the token still belongs to the same account with the same rights. `account` is the object that `authenticate` returned. Called when a
   * ticket is used, after a request body has arrived, for each message over a WebSocket, and once a minute for each open stream. Absent if accounts
   * never change.
   */
  isCurrent?(account: Account): Promise<boolean>;
  /**
   * Calls `onChange` when the accounts may have changed, and with `trouble` when they are no longer available. The server then immediately calls
   * `isCurrent` for each open stream. Returns the function that stops these calls. Leave this member out if one check a minute is enough.
   */
  watch?(onChange: (trouble: AccountsError | undefined) => void): () => void;
}

const ROLES: readonly unknown[] = ['driver', 'approver', 'viewer'];

const tokenHashes = new WeakMap<Account, string>();

/**
 * Creates accounts from a list. Tokens are stored and compared as hashes, so the duration of a refusal reveals nothing about them. A name may
 * occur twice with the same role and sessions: the account then has two tokens, for example while one token is replaced.
 *
 * @throws {TypeError} for a token that occurs twice, for a name that occurs twice with different rights, and for the name `worker`
 */
export async function createAccounts(entries: readonly AccountEntry[]): Promise<Accounts> {
  const byHash = new Map<string, Account>();
  const byName = new Map<string, Account>();
  for (const [index, entry] of entries.entries()) {
    const { name, role, sessions } = entry;
    const hash = 'token' in entry ? await sha256(entry.token) : entry.token_sha256.toLowerCase();
    // This name shows viewers that the worker, not a client, ended a request.
    if (name === 'worker')
      throw new TypeError(`accounts: entry ${index + 1} has the name "worker", which is reserved: choose another name`);
    const account = { name, role, sessions };
    if (byHash.has(hash))
      throw new TypeError(
        `accounts: entry ${index + 1} has the token of an earlier entry: give each account its own token`,
      );
    // The name alone identifies an account for rate limits and as the sender of events.
    if (JSON.stringify(byName.get(name) ?? account) !== JSON.stringify(account)) {
      throw new TypeError(
        `accounts: entry ${index + 1} has the name of an earlier entry, but different rights: choose another name, or give both entries the same rights`,
      );
    }
    byHash.set(hash, account);
    byName.set(name, account);
    tokenHashes.set(account, hash);
  }
  // Avoids hashing a known token again: the hash costs more than all other work for a request. Only valid tokens are kept, so the map has at most one
  // entry for each token of the accounts. The map compares texts only if their seeded hashes are equal, so here too, the duration of a refusal
  // reveals nothing.
  const byToken = new Map<string, Account>();
  const byNewToken = async (token: string) => {
    const account = byHash.get(await sha256(token));
    if (account !== undefined) byToken.set(token, account);
    return account;
  };
  return {
    authenticate: async (token) => byToken.get(token) ?? byNewToken(token),
    // Accounts are compared by content, because the list may have been read again in the meantime.
    isCurrent: async (account) => isSameAccount(byHash.get(tokenHashes.get(account) ?? ''), account),
  };
}

function isSameAccount(known: Account | undefined, account: Account): boolean {
  return known === account || JSON.stringify(known) === JSON.stringify(account);
}

/** Accounts with an additional internal account that only this process can use. */
export interface AccountsWithInternal extends Accounts {
  /** The token of the internal account, a driver. Never show this token. Only this process uses it, for example for the calls of local agents. */
  readonly internalToken: string;
}

/** Adds a driver to the accounts of a server, with a random token that exists only in this process. */
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

/**
 * Parses `{ "accounts": [{ name, role, token | token_sha256, sessions? }] }`.
 * @throws {TypeError} for a text of any other form. The message of the error contains no token.
 */
export function parseAccounts(text: string): readonly AccountEntry[] {
  let value: unknown;
  try {
    value = parseConfig(text);
  } catch (error) {
    if (error instanceof RepeatedNameError)
      throw new TypeError(
        'accounts: an object contains the same member twice, and one of the two values would be lost: write each member only once',
      );
    // The parser's own message would quote the file, which contains tokens.
    throw new TypeError('accounts: the content is not JSON');
  }
  const { accounts } = objectOf(value);
  if (!Array.isArray(accounts)) throw new TypeError('accounts: the list "accounts" is missing');
  return accounts.map((entry: unknown, index) => {
    if (isAccount(entry)) return entry;
    throw new TypeError(`accounts: entry ${index + 1} must have "name", "role", and either "token" or "token_sha256"`);
  });
}

function isAccount(value: unknown): value is AccountEntry {
  if (!isObject(value)) return false;
  const { name, role, token, token_sha256, sessions } = value;
  const secret = token === undefined ? /^[0-9a-f]{64}$/i.test(String(token_sha256)) : isSecret(token);
  const limited = sessions === undefined || (Array.isArray(sessions) && sessions.every((id) => typeof id === 'string'));
  return typeof name === 'string' && ROLES.includes(role) && secret && limited;
}

function isSecret(token: unknown): boolean {
  return typeof token === 'string' && token.length >= 16;
}

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

const BRAND = Symbol.for('@proto/ingress.AccountsError');

/**
 * The accounts are not available, for example while their file is broken. Requests are refused with status 503, and clients may try again. No client
 * gets access, and no client is refused permanently.
 */
export class AccountsError extends Error {
  /** The only possible code: the accounts cannot be read now, and a later attempt may succeed. */
  readonly code = 'unavailable';

  constructor(message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options);
    this.name = 'AccountsError';
    Object.defineProperty(this, BRAND, { value: true });
  }

  /** True for an `AccountsError` from any copy of this package. */
  static is(value: unknown): value is AccountsError {
    return Object.hasOwn(Object(value), BRAND);
  }

  /** Returns the given error, or the first of its causes, that is an `AccountsError`. Looks at 100 causes at most. */
  static find(error: unknown): AccountsError | undefined {
    return findError(error, AccountsError.is);
  }
}
