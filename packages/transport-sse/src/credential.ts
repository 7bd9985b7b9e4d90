import type { Clock } from '@proto/core/transport';

/** What is sent as `Authorization: Bearer`. */
export interface Credential {
  readonly token: string;
  /** When it stops being good, in milliseconds since 1970. Without it, it is good until it is refused. */
  readonly expiresAt?: number;
  /** The number of the attachment it was given for, where it was given for one: to workers. */
  readonly epoch?: number;
}

/** Why a credential is asked for: a link is to come up, the last one is about to expire, or the server refused it. */
export type CredentialReason = 'connect' | 'expiring' | 'refused';

/** Gives a credential. It is never asked for a second one before it gave the first. */
export type CredentialProvider = (reason: CredentialReason) => string | Credential | Promise<string | Credential>;

/** How long before its end a credential counts as expired. */
export const DEFAULT_CREDENTIAL_LEEWAY_MS = 60_000;

/** The present credential of a transport, asked for once however many requests need it. */
export class CredentialSource {
  readonly #provider: CredentialProvider;
  readonly #clock: Clock;
  #credential: Credential | undefined;
  #asked: Promise<Credential> | undefined;
  #refused = false;

  constructor(provider: CredentialProvider, clock: Clock) {
    this.#provider = provider;
    this.#clock = clock;
  }

  /** The one to send now: the present one while it is good. */
  current(): Promise<Credential> {
    const present = this.#credential;
    if (present === undefined) return this.renew('connect');
    const isGood = this.#clock.now() < (present.expiresAt ?? Infinity) - DEFAULT_CREDENTIAL_LEEWAY_MS;
    return isGood ? Promise.resolve(present) : this.renew('expiring');
  }

  /** Whether a token was replaced by another one, or is about to be. */
  async isOutdated(token: string): Promise<boolean> {
    await this.#asked?.catch(() => {});
    return this.#credential?.token !== token;
  }

  /** One that was asked for now. */
  renew(reason: CredentialReason): Promise<Credential> {
    return (this.#asked ??= this.#ask(this.#refused ? 'refused' : reason).finally(() => {
      this.#asked = undefined;
    }));
  }

  /** The server refused this token. Whoever is told so later than others has nothing to add: there is another one by then. */
  refuse(token: string): void {
    if (this.#credential?.token !== token) return;
    this.#credential = undefined;
    this.#refused = true;
  }

  async #ask(reason: CredentialReason): Promise<Credential> {
    const given = await this.#provider(reason);
    this.#refused = false;
    this.#credential = typeof given === 'string' ? { token: given } : given;
    return this.#credential;
  }
}
