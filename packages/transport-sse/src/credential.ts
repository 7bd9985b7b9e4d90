import { askForCredential } from '@proto/core/network';
import type { AttemptReason, ClientOptions, Clock, Credential } from '@proto/core/reconnect';

// A credential is treated as expired this long before it expires.
const DEFAULT_CREDENTIAL_LEEWAY_MS = 60_000;

// At most this many refused tokens are remembered, because a transport may live for months. By then, older tokens have expired.
const MAX_REFUSED = 100;

/** Requests that need a new credential at the same time share one call of the credential function. */
export class CredentialSource {
  readonly #given: ClientOptions['credential'];
  readonly #clock: Clock;
  #credential: Credential | undefined;
  #asked: Promise<Credential | undefined> | undefined;
  /** The tokens that the server has recently refused. A refused token is not sent again, even if the credential function returns it again. */
  readonly #refused = new Set<string | undefined>();

  constructor(given: ClientOptions['credential'], clock: Clock) {
    this.#given = given;
    this.#clock = clock;
  }

  get canRenew(): boolean {
    return typeof this.#given === 'function';
  }

  /** A credential that has nearly expired is replaced by a new one. */
  current(reason: AttemptReason): Promise<Credential | undefined> {
    const present = this.#credential;
    if (present === undefined) return this.renew(reason);
    const isGood = this.#clock.now() < (present.expiresAt ?? Infinity) - DEFAULT_CREDENTIAL_LEEWAY_MS;
    return isGood ? Promise.resolve(present) : this.renew('expiring');
  }

  /** Whether a token was replaced by a newer token, or is about to be replaced. */
  async isOutdated(token: string): Promise<boolean> {
    await this.#asked?.catch(() => {});
    return this.#credential?.token !== token;
  }

  renew(reason: AttemptReason): Promise<Credential | undefined> {
    const wasRefused = this.#credential === undefined && this.#refused.size > 0;
    return (this.#asked ??= this.#ask(wasRefused ? 'refused' : reason).finally(() => {
      this.#asked = undefined;
    }));
  }

  /**
   * Call this when the server has refused a token. A newer token that is already in use stays valid, because several requests may report the same
   * refusal.
   */
  refuse(token: string | undefined): void {
    this.#refused.add(token);
    if (this.#refused.size > MAX_REFUSED) this.#refused.delete(this.#refused.values().next().value);
    if (this.#credential?.token !== token) return;
    this.#credential = undefined;
  }

  isRefused(token: string | undefined): boolean {
    return this.#refused.has(token);
  }

  async #ask(reason: AttemptReason): Promise<Credential | undefined> {
    const credential = await askForCredential(this.#given, reason);
    // A refused credential is not kept, so that the next attempt asks for a new one.
    this.#credential = this.isRefused(credential?.token) ? undefined : credential;
    return credential;
  }
}
