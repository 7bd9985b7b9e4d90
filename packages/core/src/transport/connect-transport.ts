import { TransportError } from './error.ts';
import type { Transport } from './transport.ts';

/** What a transport package exports so that programs can choose it by URI. */
export interface TransportScheme<Options = unknown> {
  /** With the colon, as in `URL.protocol`: `['ws:', 'wss:']`. */
  readonly protocols: readonly string[];
  /** Makes a transport; returns at once. */
  readonly connect: (uri: string, options: Options) => Transport;
}

/**
 * Makes the transport that a URI asks for, of those the program lists; `-` stands for `stdio:`. Throws a `TransportError` of
 * code `connect-failed` naming the protocols it knows when the URI asks for another one.
 */
export function connectTransport<Options>(
  uri: string,
  schemes: readonly TransportScheme<Options>[],
  options: Options,
): Transport {
  const protocol = uri === '-' ? 'stdio:' : (/^[a-z][a-z0-9+.-]*:/i.exec(uri)?.[0].toLowerCase() ?? '');
  const scheme = schemes.find(({ protocols }) => protocols.includes(protocol));
  if (scheme !== undefined) return scheme.connect(uri, options);
  const known = schemes.flatMap(({ protocols }) => protocols).join(', ');
  // Only the protocol is named: the rest of a URI may hold a token.
  throw new TransportError('connect-failed', `Unsupported protocol: ${protocol} (known: ${known})`, {
    retryable: false,
  });
}
