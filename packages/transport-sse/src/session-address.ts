import { parseAddress } from '@proto/core/network';

/** The address of a session: `https://HOST/v1/code/sessions/ID`, optionally with a query. */
export class SessionAddress {
  /** The address as the application gave it. */
  readonly given: string;
  readonly sessionId: string;
  readonly #base: string;
  readonly #query: string;

  /**
   * @throws {TransportError} if the text is not an `http:` or `https:` URL, or contains a user or a password
   * @throws {URIError} if the id cannot be decoded
   */
  constructor(given: string) {
    const { protocol, host, pathname, search } = parseAddress(given, ['https:', 'http:']);
    const path = pathname.replace(/\/+$/, '');
    this.given = given;
    this.sessionId = decodeURIComponent(path.slice(path.lastIndexOf('/') + 1));
    this.#base = `${protocol}//${host}${path}`;
    this.#query = search;
  }

  /** The parameters in `more` replace parameters of the session's address with the same name. */
  below(path: string, more: Readonly<Record<string, string>> = {}): string {
    const added = Object.entries(more);
    if (added.length === 0) return `${this.#base}${path}${this.#query}`;
    const query = new URLSearchParams(this.#query);
    for (const [name, value] of added) query.set(name, value);
    return `${this.#base}${path}?${query}`;
  }
}
