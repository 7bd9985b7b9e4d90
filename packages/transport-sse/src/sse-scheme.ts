import type { SessionScheme } from '@proto/core/transport';
import type { SseOptions } from './event-link.ts';
import { createSseTransport } from './sse-transport.ts';

/** How to follow the session that an `sse+http:` or `sse+https:` URI names. */
export type SseSchemeOptions = Omit<SseOptions, 'url'>;

/** Follows a session: `sse+` before its `http:` or `https:` address. For `connectUri` and `connectSession`. */
export const sseScheme: SessionScheme<SseSchemeOptions> = {
  name: 'sse',
  protocols: ['sse+http:', 'sse+https:'],
  sessionUri: ({ href }) => `sse+${href}`,
  connect: (uri, options) => createSseTransport({ ...options, url: uri.slice('sse+'.length) }),
};
