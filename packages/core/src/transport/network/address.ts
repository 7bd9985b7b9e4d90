import { TransportError } from '../error.ts';

/**
 * Parses the address of a server. If `protocols` is given, the scheme must be in this list, which contains names such as `https:`. An address must
 * not contain a user or a password, because, unlike a token in a header, they would end up in logs, proxies and errors.
 *
 * @throws {TransportError} `connect-failed` for a text that is not a URL, for any other scheme, and for an address with a user or a password. The
 * error quotes no part of the address
 * @internal
 */
export function parseAddress(address: string | URL, protocols?: readonly string[]): URL {
  let url: URL;
  try {
    url = new URL(address);
  } catch {
    // The cause is left out, because it quotes the address.
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
 * Refuses an address with a user or a password. Any other text is allowed.
 *
 * @throws {TransportError} `connect-failed`
 * @internal
 */
export function refuseCredentials(address: string | URL): void {
  // A text that is not a URL is searched by hand, because a page may pass a path.
  const { username, password } = URL.canParse(String(address)) ? new URL(address) : userOf(String(address));
  if (username === '' && password === '') return;
  const text = 'the address contains a user or a password: remove it, and give a token or a header instead';
  throw new TransportError('connect-failed', text, { retryable: false });
}

function userOf(text: string): { readonly username: string; readonly password: string } {
  const authority = /^[^/?#]*\/\/([^/?#]*)/.exec(text)?.[1] ?? '';
  return { username: authority.includes('@') ? authority : '', password: '' };
}
