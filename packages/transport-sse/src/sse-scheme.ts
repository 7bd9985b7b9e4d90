import type { TransportScheme } from '@proto/core/transport';
import type { SseOptions } from './event-link.ts';
import { createSseTransport } from './sse-transport.ts';

/** How to follow what an `sse+http:` or `sse+https:` URI names. */
export type SseSchemeOptions = Omit<SseOptions, 'url'>;

/** `sse+http:` and `sse+https:`: the address of a session. For `connectTransport`. */
export const sseScheme: TransportScheme<SseSchemeOptions> = {
  protocols: ['sse+http:', 'sse+https:'],
  connect: (uri, options) => createSseTransport({ ...options, url: uri.slice('sse+'.length) }),
};
