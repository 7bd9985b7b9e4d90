import type { SessionScheme, TransportScheme } from '@proto/core/transport';
import type { SseOptions } from './event-link.ts';
import { createSseTransport } from './sse-transport.ts';
import { createSseWorkerTransport, type SseWorkerOptions } from './worker/worker-transport.ts';

/** How to follow the session that an `sse+http:` or `sse+https:` URI names. */
export type SseSchemeOptions = Omit<SseOptions, 'url'>;

/** How to be the worker of the session that an `http:` or `https:` URI names. */
export type SseWorkerSchemeOptions = Omit<SseWorkerOptions, 'url'>;

/** Follows a session: `sse+` before its `http:` or `https:` address. For `connectTransport` and `connect`. */
export const sseScheme: SessionScheme<SseSchemeOptions> = {
  name: 'sse',
  protocols: ['sse+http:', 'sse+https:'],
  sessionUri: ({ href }) => `sse+${href}`,
  connect: (uri, options) => createSseTransport({ ...options, url: uri.slice('sse+'.length) }),
};

/** Works for a session: its `http:` or `https:` address, as `--sdk-url` names it. For `connectTransport`. */
export const sseWorkerScheme: TransportScheme<SseWorkerSchemeOptions> = {
  protocols: ['http:', 'https:'],
  connect: (url, options) => createSseWorkerTransport({ ...options, url }),
};
