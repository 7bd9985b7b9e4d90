import { TransportError } from '../error.ts';

/**
 * The address of a server as a URL. Throws a `TransportError` of code `connect-failed`, which quotes nothing of it, for what is no URL and
 * for one with a user or a password: those end up in logs, proxies and errors, where a token in a header does not.
 *
 * @internal
 */
export function parseAddress(address: string | URL): URL {
  let url: URL;
  try {
    url = new URL(address);
  } catch {
    // Without the cause, which quotes the address.
    throw new TransportError('connect-failed', 'the address is no URL', { retryable: false });
  }
  refuseCredentials(url);
  return url;
}

/** Throws as `parseAddress` does where the address has a user or a password, and takes whatever else there is. @internal */
export function refuseCredentials(address: string | URL): void {
  // By hand for what is no URL: a page may give a path.
  const { username, password } = URL.canParse(String(address)) ? new URL(address) : userOf(String(address));
  if (username === '' && password === '') return;
  const text = 'the address has a user or a password in it: take it out, and give a token or a header instead';
  throw new TransportError('connect-failed', text, { retryable: false });
}

function userOf(text: string): { readonly username: string; readonly password: string } {
  const authority = /^[^/?#]*\/\/([^/?#]*)/.exec(text)?.[1] ?? '';
  return { username: authority.includes('@') ? authority : '', password: '' };
}
