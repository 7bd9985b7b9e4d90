import { TransportError } from '../error.ts';

/** Why an attempt to connect failed, as far as the platform's error shows the reason. */
export interface ConnectFailure {
  /** The cause as text for people, with the platform's error code. No text of the thrown error is quoted. */
  readonly text: string;
  /**
   * Whether another attempt soon afterwards would most likely fail too, because no server is listening at the address, or a server of a different
   * kind.
   */
  readonly isRefusal: boolean;
}

const NO_ROUTE = 'the network has no route to this host';
const refusals: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused: nothing listens on this port',
  // The error code that Bun uses.
  ConnectionRefused: 'the connection was refused: nothing listens on this port',
  ENOTFOUND: 'the host name does not exist',
  EHOSTUNREACH: NO_ROUTE,
  ENETUNREACH: NO_ROUTE,
  EPROTO: 'the server does not speak TLS',
  ERR_SSL_WRONG_VERSION_NUMBER: 'the server does not speak TLS',
};
const passing: Readonly<Record<string, string>> = {
  EAI_AGAIN: 'the host name cannot be looked up at the moment',
  ECONNRESET: 'the connection broke',
  ETIMEDOUT: 'no answer in time',
};
const NO_TRUST = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY/;
const NO_HTTP = /^HPE_/;
const NOT_HTTP = 'the server does not speak HTTP';
// The beginning of the error message from `fetch` for a port that it refuses because the port belongs to another well-known service.
const BAD_PORT = 'bad port';
const MAX_CAUSES = 5;

/**
 * Reads from a thrown error why an attempt to connect failed. Returns `undefined` if neither the error nor its causes have a code.
 *
 * @internal
 */
export function connectFailureOf(error: unknown): ConnectFailure | undefined {
  let causes = MAX_CAUSES;
  for (let cause = error; cause instanceof Error && causes-- > 0; cause = cause.cause) {
    const { code, name, message } = cause as Error & { readonly code?: unknown };
    // This error from undici has no code.
    if (name === 'HTTPParserError') return { text: NOT_HTTP, isRefusal: true };
    if (message.startsWith(BAD_PORT))
      return { text: 'the platform does not allow connections to this port', isRefusal: true };
    // The code of a `TransportError` is not a platform error code.
    if (typeof code === 'string' && !TransportError.is(cause)) return failureOf(code);
  }
  return undefined;
}

function failureOf(code: string): ConnectFailure {
  const refusal = NO_TRUST.test(code)
    ? 'the certificate of the server is not trusted'
    : NO_HTTP.test(code)
      ? NOT_HTTP
      : refusals[code];
  return { text: `${refusal ?? passing[code] ?? 'the connection failed'} (${code})`, isRefusal: refusal !== undefined };
}
