import { jwtVerify } from 'jose';
import { type Account, type Accounts, AccountsError } from '../auth/accounts.ts';
import { checkTimes } from '../check-times.ts';
import { accountOfClaims, type ClaimsMapping } from './jwt-claims.ts';
import { DEFAULT_COOL_DOWN_MS, KeysUnavailable, openKeySet } from './key-set.ts';

/** Which tokens (JWT) of an issuer a server accepts, and how they are mapped to accounts. */
export interface JwtAccountsOptions extends ClaimsMapping {
  /** The public keys of the issuer (JWKS): an `https:` URL, an `http:` URL on this machine, or a file. A file is read again when it changes. */
  readonly jwks: string;
  /** The value that `iss` must have in every token. */
  readonly issuer: string;
  /**
   * The value that `aud` must have in every token. The value names this server, so that a token that the issuer made for another service is refused.
   */
  readonly audience: string;
  /** The accepted signature algorithms. Only algorithms with a public key are allowed. Default `RS256`, `PS256`, `ES256` and `EdDSA`. */
  readonly algorithms?: readonly string[] | undefined;
  /** How far the clocks of the issuer and of this server may differ, in milliseconds. Default 30 s. */
  readonly clockToleranceMs?: number | undefined;
  /** The minimum time between two fetches of the keys that are caused by tokens with unknown keys, in milliseconds. Default 30 s. */
  readonly coolDownMs?: number | undefined;
  /** The clock, in milliseconds since 1970. Default: `Date.now`. */
  readonly now?: (() => number) | undefined;
}

const DEFAULT_ALGORITHMS = ['RS256', 'PS256', 'ES256', 'EdDSA'];
/**
 * Signatures with a public key. With a shared secret, every server that accepts tokens could also create them. With the algorithm `none`, a token has
 * no signature.
 */
const PUBLIC_KEY = /^(?:(?:RS|PS|ES)(?:256|384|512)|EdDSA|Ed25519)$/;
const DEFAULT_CLOCK_TOLERANCE_MS = 30_000;
/** Three parts, of which the first is the JSON object of a header. */
const JWT = /^eyJ[\w-]*\.[\w-]+\.[\w-]*$/;
const MAX_VERIFIED_TOKENS = 10_000;

interface Verified {
  readonly account: Account;
  /** The start of validity, in milliseconds since 1970, with the clock tolerance included. */
  readonly notBefore: number;
  readonly expiresAt: number;
  /** When the signature must be checked again, by the clock of `performance`. */
  readonly recheckAt: number;
}

/**
 * Adds the accounts of an issuer to local accounts. A token of the issuer must have an `exp`. The token is valid from its `nbf` to its `exp`, as long
 * as its key is published. Open streams end within a minute after the token has become invalid. The names of these accounts begin with `jwt:`. While
 * the keys cannot be read, such tokens are refused with status 503, but local accounts still work.
 *
 * @throws TypeError for unusable keys, issuer, audience or algorithms
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

/** Verifies tokens. Until the keys are read again, the tokens with a valid signature are remembered. */
class JwtTokens {
  readonly #options: JwtAccountsOptions;
  readonly #algorithms: string[];
  readonly #toleranceMs: number;
  readonly #keys: ReturnType<typeof openKeySet>;
  readonly #now: () => number;
  /** For each account, the token that authenticated it. */
  readonly #tokens = new WeakMap<Account, string>();
  #verified = new Map<string, Verified>();
  #generation = 0;
  #trouble: AccountsError | undefined;

  constructor(options: JwtAccountsOptions) {
    checkTimes(options, [], ['clockToleranceMs']);
    const { algorithms = DEFAULT_ALGORITHMS, clockToleranceMs = DEFAULT_CLOCK_TOLERANCE_MS } = options;
    const refused = algorithms.find((name) => !PUBLIC_KEY.test(name));
    if (refused !== undefined || algorithms.length === 0) {
      const problem =
        refused === undefined
          ? 'the list of algorithms must not be empty'
          : `${refused} is not a public-key signature algorithm`;
      throw new TypeError(`accounts: ${problem}`);
    }
    if (options.issuer === '' || options.audience === '') {
      throw new TypeError('accounts: to accept tokens from an issuer, give the name of the issuer and an audience');
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

  /** Whether the token of an account is still valid for this account; undefined if the account was not authenticated by one of these tokens. */
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
      // If the keys were read again in the meantime, the key of this token may be missing.
      if (generation === this.#keys.generation()) this.#remember(token, verified);
      return verified;
    } catch (error) {
      if (!(error instanceof KeysUnavailable)) return undefined;
      // The same error is thrown as long as the problem lasts, so that the server reports it once.
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
