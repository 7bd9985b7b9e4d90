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

/** Finds accounts by their tokens. */
export interface Accounts {
  /** Whoever comes without a token; absent where everybody needs one. */
  readonly anonymous?: Account | undefined;
  authenticate(token: string): Promise<Account | undefined>;
  /**
   * Whether the token that proved this account, as `authenticate` gave it, still says the same of it. Asked of whoever has a stream or a
   * WebSocket open; absent where accounts never change.
   */
  isCurrent?(account: Account): Promise<boolean>;
}

/** Members of an `initialize` that say what the client can show. */
const OF_THE_CLIENT = ['promptSuggestions', 'supportedDialogKinds'];
const ROLES: readonly unknown[] = ['driver', 'approver', 'viewer'];

/** By which token an account was proved. */
const hashes = new WeakMap<Account, string>();

/** Accounts from a list. Tokens are kept and compared as hashes, so that the time a refusal takes tells nothing about them. */
export async function createAccounts(entries: readonly AccountEntry[]): Promise<Accounts> {
  const byHash = new Map<string, Account>();
  for (const entry of entries) {
    const { name, role, sessions } = entry;
    const hash = 'token' in entry ? await sha256(entry.token) : entry.token_sha256.toLowerCase();
    const account = { name, role, sessions };
    byHash.set(hash, account);
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
