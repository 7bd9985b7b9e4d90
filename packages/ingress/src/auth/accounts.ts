import { isObject, objectOf } from '../json/values.ts';

/**
 * What an account may do with a session:
 * - `viewer`: read · `approver`: also answer what the agent asks · `driver`: everything
 */
export type Role = 'driver' | 'approver' | 'viewer';

/** Who somebody is, and what they may do. */
export interface Account {
  readonly name: string;
  readonly role: Role;
  /** The sessions the account is limited to; absent for all. */
  readonly sessions?: readonly string[] | undefined;
}

/** An account with the secret that proves it. */
export type AccountEntry = Account & ({ readonly token: string } | { readonly token_sha256: string });

/**
 * Finds accounts by their tokens. A call that rejects says "nobody can tell now": whoever asks is refused with 503, a WebSocket that is open
 * ends with 1013, and clients try again. Reject with an `AccountsError`, the same one for as long as the trouble lasts: `onError` of the
 * server is told once of each `AccountsError`, and each time of any other error.
 */
export interface Accounts {
  /** Whoever comes without a token; absent where everybody needs one. */
  readonly anonymous?: Account | undefined;
  /** The account of a token; undefined where the token is nobody's, which is refused with 401. */
  authenticate(token: string): Promise<Account | undefined>;
  /**
   * Whether the token that proved this account, as `authenticate` gave it, still says the same of it. Asked when a ticket is used, when a body
   * has arrived, for what comes over a WebSocket, and once a minute of whoever has a stream open. Absent where accounts never change.
   */
  isCurrent?(account: Account): Promise<boolean>;
  /**
   * Calls back whenever the accounts may have changed, or nobody can tell them any more, which `trouble` says. The server then asks
   * `isCurrent` at once of whoever has a stream open. Gives a function that stops it. Absent where a minute is soon enough.
   */
  watch?(onChange: (trouble: AccountsError | undefined) => void): () => void;
}

/** Members of an `initialize` that say what the client can show. */
const OF_THE_CLIENT = ['promptSuggestions', 'supportedDialogKinds'];
const ROLES: readonly unknown[] = ['driver', 'approver', 'viewer'];

/** By which token an account was proved. */
const hashes = new WeakMap<Account, string>();

/**
 * Accounts from a list. Tokens are kept and compared as hashes, so that the time a refusal takes tells nothing about them. A name may stand
 * twice, with the same role and sessions: the account then has two tokens, as while one of them is replaced.
 *
 * @throws {TypeError} for a token that stands twice, and for a name that stands twice with another role or other sessions
 */
export async function createAccounts(entries: readonly AccountEntry[]): Promise<Accounts> {
  const byHash = new Map<string, Account>();
  const byName = new Map<string, Account>();
  for (const [index, entry] of entries.entries()) {
    const { name, role, sessions } = entry;
    const hash = 'token' in entry ? await sha256(entry.token) : entry.token_sha256.toLowerCase();
    const account = { name, role, sessions };
    if (byHash.has(hash)) throw new TypeError(`accounts: entry ${index + 1} has the token of an earlier entry`);
    // What is counted, and what readers are told of a sender, is by the name alone.
    if (JSON.stringify(byName.get(name) ?? account) !== JSON.stringify(account)) {
      throw new TypeError(`accounts: entry ${index + 1} has the name of an earlier entry, with other rights`);
    }
    byHash.set(hash, account);
    byName.set(name, account);
    hashes.set(account, hash);
  }
  return {
    authenticate: async (token) => byHash.get(await sha256(token)),
    // By what is said, because the list may have been read again.
    isCurrent: async (account) => JSON.stringify(byHash.get(hashes.get(account) ?? '')) === JSON.stringify(account),
  };
}

/** Reads `{ "accounts": [{ name, role, token | token_sha256, sessions? }] }`. Throws `TypeError` for anything else, without a token in it. */
export function parseAccounts(text: string): readonly AccountEntry[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The message of the parser would quote the file.
    throw new TypeError('accounts: not JSON');
  }
  const { accounts } = objectOf(value);
  if (!Array.isArray(accounts)) throw new TypeError('accounts: no list "accounts"');
  return accounts.map((entry: unknown, index) => {
    if (isAccount(entry)) return entry;
    throw new TypeError(`accounts: entry ${index + 1} needs a name, a role, and a token or token_sha256`);
  });
}

/** Whether an account may take part in a session at all. */
export function mayEnter({ sessions }: Account, session: string): boolean {
  return sessions === undefined || sessions.includes(session);
}

/** Whether an account may send this message. To be a client of a session at all needs `initialize`, which changes nothing by itself. */
export function maySend({ role }: Account, type: string, payload: unknown): boolean {
  if (role === 'driver' || type === 'keep_alive') return true;
  if (role === 'viewer') return false;
  return type === 'control_response' || (type === 'control_request' && isPlainInitialize(payload));
}

/** With nothing but what a client says of itself: anything else may change what the agent does, also what only later versions know. */
function isPlainInitialize(payload: unknown): boolean {
  const { subtype, ...members } = objectOf(objectOf(payload)['request']);
  return subtype === 'initialize' && Object.keys(members).every((name) => OF_THE_CLIENT.includes(name));
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
 * Says that nobody can tell now whose a token is, such as while the file of accounts is broken. Whoever asks is refused with 503 and may
 * ask again: nobody is let in, and nobody is sent away for good.
 */
export class AccountsError extends Error {
  readonly code = 'unavailable';

  constructor(message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options);
    this.name = 'AccountsError';
    Object.defineProperty(this, BRAND, { value: true });
  }

  /** True for an `AccountsError` of any copy of this package. */
  static is(value: unknown): value is AccountsError {
    return Object.hasOwn(Object(value), BRAND);
  }
}
