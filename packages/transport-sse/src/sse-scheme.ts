import type { SessionScheme, TransportScheme } from '@proto/core/transport';
import type { SseOptions } from './event-link.ts';
import { createSseTransport } from './sse-transport.ts';
import type { SseWorkerOptions } from './worker/worker-driver.ts';
import { createSseWorkerTransport } from './worker/worker-transport.ts';

/** How to follow what an `sse+http:` or `sse+https:` URI names. */
export type SseSchemeOptions = Omit<SseOptions, 'url'>;

/** How to be the worker of what an `http:` or `https:` URI names. */
export type SseWorkerSchemeOptions = Omit<SseWorkerOptions, 'url'>;

/** `sse+http:` and `sse+https:`: the address of a session. For `connectTransport` and `connect`. */
export const sseScheme: SessionScheme<SseSchemeOptions> = {
  name: 'sse',
  protocols: ['sse+http:', 'sse+https:'],
  sessionUri: ({ href }) => `sse+${href}`,
  connect: (uri, options) => createSseTransport({ ...options, url: uri.slice('sse+'.length) }),
};

/** `http:` and `https:`: the address of a session to work for, as `--sdk-url` names it. For `connectTransport`. */
export const sseWorkerScheme: TransportScheme<SseWorkerSchemeOptions> = {
  protocols: ['http:', 'https:'],
  connect: (url, options) => createSseWorkerTransport({ ...options, url }),
};
