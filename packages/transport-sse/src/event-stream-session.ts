import { platformFetch } from '#fetch';
import { parseAddress } from '@proto/core/network';
import type { ResumableTransport } from '@proto/core/transport';
import type { SseOptions } from './event-link.ts';
import { createSseTransport } from './sse-transport.ts';

/** How to connect to a session over an event stream and POST. */
export interface EventStreamSessionOptions extends Omit<SseOptions, 'url' | 'credential'> {
  /** The token, or a function that is called before each attempt and once more after a refusal. Default: no token is sent. */
  readonly token?: SseOptions['credential'];
}

/**
 * Connects to a remote session over an event stream and POST requests, and reconnects after a cut without losing or repeating messages. On Node, the
 * requests use `undici` and the proxies set in environment variables. On other platforms, the requests use the platform's `fetch`.
 *
 * @example
 * ```ts
 * import { query } from '@proto/host';
 * import { eventStream } from '@proto/transport-sse';
 *
 * const url = 'https://agents.example/v1/code/sessions/cse_1';
 * const session = query({ prompt: 'Run the tests', transport: eventStream(url, { token: 'the-token-of-alice' }) });
 * ```
 *
 * @param url The address of the session: `https://HOST/v1/code/sessions/ID`.
 * @throws {TransportError} `connect-failed` for an address that is not an HTTP address, or contains a user or a password
 */
export function eventStream(
  url: string | URL,
  { token, fetch = platformFetch(), ...options }: EventStreamSessionOptions = {},
): ResumableTransport {
  return createSseTransport({
    ...options,
    ...(fetch !== undefined && { fetch }),
    ...(token !== undefined && { credential: token }),
    url: parseAddress(url, ['https:', 'http:']),
  });
}
