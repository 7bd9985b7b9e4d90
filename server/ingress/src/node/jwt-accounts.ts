import { jwtVerify } from 'jose';
import { type Account, type Accounts, AccountsError } from '../auth/accounts.ts';
import { checkTimes } from '../check-times.ts';
import { accountOfClaims, type ClaimsMapping } from './jwt-claims.ts';
import { DEFAULT_COOL_DOWN_MS, KeysUnavailable, openKeySet } from './key-set.ts';

/** The tokens of an issuer (JWT) that a server accepts, and the accounts that they stand for. */
export interface JwtAccountsOptions extends ClaimsMapping {
  /** The public keys of the issuer (JWKS): an `https:` URL, an `http:` URL of this machine, or a file. A file is read again when it changes. */
  readonly jwks: string;
  /** The `iss` of every token. */
  readonly issuer: string;
  /** The `aud` of every token, which names this server: a token that the issuer has made for another service is refused. */
  readonly audience: string;
  /** The accepted signatures. Only those with a public key can be named. Default `RS256`, `PS256`, `ES256` and `EdDSA`. */
  readonly algorithms?: readonly string[] | undefined;
  /** How far the clocks of the issuer and of this server may differ, in milliseconds. Default 30 s. */
  readonly clockToleranceMs?: number | undefined;
  /** How long after a fetch of the keys a token with an unknown key causes no other fetch, in milliseconds. Default 30 s. */
  readonly coolDownMs?: number | undefined;
  /** The time, in milliseconds since 1970. Default: `Date.now`. */
  readonly now?: (() => number) | undefined;
}

const DEFAULT_ALGORITHMS = ['RS256', 'PS256', 'ES256', 'EdDSA'];
/** Signatures with a public key. With a shared secret, every server that accepts tokens could make them; `none` means no signature. */
const PUBLIC_KEY = /^(?:(?:RS|PS|ES)(?:256|384|512)|EdDSA|Ed25519)$/;
const DEFAULT_CLOCK_TOLERANCE_MS = 30_000;
/** Three parts, of which the first is the JSON object of a header. */
const JWT = /^eyJ[\w-]*\.[\w-]+\.[\w-]*$/;
const MAX_VERIFIED_TOKENS = 10_000;

interface Verified {
  readonly account: Account;
  /** In milliseconds since 1970, with the tolerance. */
  readonly notBefore: number;
  readonly expiresAt: number;
  /** When its signature is to be checked again, by the clock of `performance`. */
  readonly recheckAt: number;
}

/**
 * Adds the accounts of an issuer to local accounts. A token of the issuer is valid from its `nbf` to its `exp`, which it must have, as long as its
 * key is published; open streams end within a minute after that. The names of these accounts begin with `jwt:`. While the keys cannot be read, such
 * tokens are refused with status 503, and local accounts go on.
 *
 * @throws TypeError for keys, an issuer, an audience or algorithms that cannot be used
 */
export function addJwtAccounts(accounts: Accounts, options: JwtAccountsOptions): Accounts {
  const tokens = new JwtTokens(options);
  return {
    anonymous: accounts.anonymous,
    async authenticate(token) {
      const account = JWT.test(token) ? await tokens.accountOf(token) : undefined;
      return account ?? accounts.authenticate(token);
    },
    isCurrent: async (account) => (await tokens.isCurrent(account)) ?? (await accounts.isCurrent?.(account)) !== false,
    ...(accounts.watch && { watch: (listener) => accounts.watch?.(listener) ?? (() => {}) }),
  };
}

/** Verifies tokens, and remembers those whose signature is right until the keys are read again. */
class JwtTokens {
  readonly #options: JwtAccountsOptions;
  readonly #algorithms: string[];
  readonly #toleranceMs: number;
  readonly #keys: ReturnType<typeof openKeySet>;
  readonly #now: () => number;
  /** The token that proved an account. */
  readonly #tokens = new WeakMap<Account, string>();
  #verified = new Map<string, Verified>();
  #generation = 0;
  #trouble: AccountsError | undefined;

  constructor(options: JwtAccountsOptions) {
    checkTimes(options, [], ['clockToleranceMs']);
    const { algorithms = DEFAULT_ALGORITHMS, clockToleranceMs = DEFAULT_CLOCK_TOLERANCE_MS } = options;
    const refused = algorithms.find((name) => !PUBLIC_KEY.test(name));
    if (refused !== undefined || algorithms.length === 0) {
      throw new TypeError(`accounts: ${refused ?? 'an empty list'} is not a signature with a public key`);
    }
    if (options.issuer === '' || options.audience === '') {
      throw new TypeError('accounts: tokens of an issuer need the name of the issuer and an audience');
    }
    this.#options = options;
    this.#algorithms = [...algorithms];
    this.#toleranceMs = clockToleranceMs;
    this.#keys = openKeySet(options.jwks, options.coolDownMs ?? DEFAULT_COOL_DOWN_MS);
    this.#now = options.now ?? Date.now;
  }

  /** The account of a valid token; undefined for any other token. @throws {AccountsError} while the keys cannot be read. */
  async accountOf(token: string): Promise<Account | undefined> {
    if (this.#generation !== this.#keys.generation()) this.#forget();
    const known = this.#verified.get(token);
    const verified = known !== undefined && performance.now() < known.recheckAt ? known : await this.#verify(token);
    if (verified === undefined) return undefined;
    const now = this.#now();
    if (verified.notBefore <= now && now < verified.expiresAt) return verified.account;
    this.#verified.delete(token);
    return undefined;
  }

  /** Whether the token of an account still stands for it; undefined for an account that none of these tokens has proved. */
  async isCurrent(account: Account): Promise<boolean | undefined> {
    const token = this.#tokens.get(account);
    if (token === undefined) return undefined;
    const present = await this.accountOf(token);
    return present === account || JSON.stringify(present) === JSON.stringify(account);
  }

  async #verify(token: string): Promise<Verified | undefined> {
    const { issuer, audience } = this.#options;
    const generation = this.#keys.generation();
    try {
      const { payload } = await jwtVerify(token, this.#keys.keyOf, {
        issuer,
        audience,
        algorithms: this.#algorithms,
        clockTolerance: this.#toleranceMs / 1000,
        currentDate: new Date(this.#now()),
        requiredClaims: ['exp'],
      });
      this.#trouble = undefined;
      const account = accountOfClaims(payload, this.#options);
      if (account === undefined) return undefined;
      const notBefore = (payload.nbf ?? 0) * 1000 - this.#toleranceMs;
      const expiresAt = (payload.exp ?? 0) * 1000 + this.#toleranceMs;
      const verified = { account, notBefore, expiresAt, recheckAt: performance.now() + this.#keys.recheckMs };
      this.#tokens.set(account, token);
      // Keys that were read in the meantime may lack the key of this token.
      if (generation === this.#keys.generation()) this.#remember(token, verified);
      return verified;
    } catch (error) {
      if (!(error instanceof KeysUnavailable)) return undefined;
      // The same error for as long as the trouble lasts, so that the server reports it once.
      throw (this.#trouble ??= new AccountsError(error.message, { cause: error.cause }));
    }
  }

  #remember(token: string, verified: Verified): void {
    this.#verified.set(token, verified);
    if (this.#verified.size <= MAX_VERIFIED_TOKENS) return;
    for (const oldest of this.#verified.keys()) return void this.#verified.delete(oldest);
  }

  #forget(): void {
    this.#generation = this.#keys.generation();
    this.#verified = new Map();
  }
}
