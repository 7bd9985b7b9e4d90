import { TransportError } from '../error.ts';

/**
 * Parses the address of a server. With `protocols` its scheme must be one of these, such as `https:`. An address must not hold a user or a
 * password: these end up in logs, proxies and errors, where a token in a header does not.
 *
 * @throws {TransportError} of code `connect-failed`, which quotes nothing, for a text that is not a URL, for another scheme, and for a user or
 * a password in it
 * @internal
 */
export function parseAddress(address: string | URL, protocols?: readonly string[]): URL {
  let url: URL;
  try {
    url = new URL(address);
  } catch {
    // Without the cause, which quotes the address.
    throw new TransportError('connect-failed', 'the address is not a URL', { retryable: false });
  }
  if (protocols?.includes(url.protocol) === false) {
    const text = `the address must begin with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`;
    throw new TransportError('connect-failed', text, { retryable: false });
  }
  refuseCredentials(url);
  return url;
}

/**
 * Refuses an address with a user or a password; any other text is allowed.
 *
 * @throws {TransportError} of code `connect-failed`
 * @internal
 */
export function refuseCredentials(address: string | URL): void {
  // A text that is not a URL is searched by hand: a page may give a path.
  const { username, password } = URL.canParse(String(address)) ? new URL(address) : userOf(String(address));
  if (username === '' && password === '') return;
  const text = 'the address has a user or a password in it: take it out, and give a token or a header instead';
  throw new TransportError('connect-failed', text, { retryable: false });
}

function userOf(text: string): { readonly username: string; readonly password: string } {
  const authority = /^[^/?#]*\/\/([^/?#]*)/.exec(text)?.[1] ?? '';
  return { username: authority.includes('@') ? authority : '', password: '' };
}
