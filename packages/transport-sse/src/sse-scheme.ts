import type { SessionScheme } from '@proto/core/transport';
import type { SseOptions } from './event-link.ts';
import { createSseTransport } from './sse-transport.ts';

/** How to follow the session of an `sse+http:` or `sse+https:` URI. */
export type SseSchemeOptions = Omit<SseOptions, 'url'>;

/**
 * The scheme that follows a session over an event stream. An address of this scheme is `sse+` followed by the session's `http:` or `https:` address.
 * Pass this scheme to `connectUri` or `connectSession`.
 */
export const sseScheme: SessionScheme<SseSchemeOptions> = {
  name: 'sse',
  protocols: ['sse+http:', 'sse+https:'],
  sessionUri: ({ href }) => `sse+${href}`,
  connect: (uri, options) => createSseTransport({ ...options, url: uri.slice('sse+'.length) }),
};
