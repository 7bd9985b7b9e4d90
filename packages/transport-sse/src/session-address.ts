import { parseAddress } from '@proto/core/network';

/** The address of a session: `https://HOST/v1/code/sessions/ID`, perhaps with a query. */
export class SessionAddress {
  /** The address as the application gave it. */
  readonly given: string;
  /** The last part of the path. */
  readonly sessionId: string;
  readonly #base: string;
  readonly #query: string;

  /** @throws {TransportError} for a text that is not a URL, for another scheme, and for a user or a password in it; {URIError} for an id that cannot be decoded. */
  constructor(given: string) {
    const { protocol, host, pathname, search } = parseAddress(given, ['https:', 'http:']);
    const path = pathname.replace(/\/+$/, '');
    this.given = given;
    this.sessionId = decodeURIComponent(path.slice(path.lastIndexOf('/') + 1));
    this.#base = `${protocol}//${host}${path}`;
    this.#query = search;
  }

  /** The address of something below the session, with the query of the session and with `more`, which replaces members of the same name. */
  below(path: string, more: Readonly<Record<string, string>> = {}): string {
    const added = Object.entries(more);
    if (added.length === 0) return `${this.#base}${path}${this.#query}`;
    const query = new URLSearchParams(this.#query);
    for (const [name, value] of added) query.set(name, value);
    return `${this.#base}${path}?${query}`;
  }
}
