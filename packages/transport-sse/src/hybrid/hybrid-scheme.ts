import type { SessionScheme } from '@proto/core/transport';
import { createHybridTransport, type HybridOptions } from './hybrid-transport.ts';

const PREFIX = 'hybrid+';

/**
 * Creates the scheme for a side that reads over a WebSocket and posts its messages. An address of this scheme is `hybrid+` followed by the `ws:` or
 * `wss:` address of the socket. `webSockets` is the scheme that opens the sockets, as in `hybridScheme(webSocketScheme)`. Pass the created scheme to
 * `connectUri` or `connectSession`.
 */
export function hybridScheme<Options extends { readonly greetIn?: 'frame' | 'url' }>(
  webSockets: SessionScheme<Options>,
): SessionScheme<Options & HybridOptions> {
  return {
    name: 'hybrid',
    protocols: webSockets.protocols.map((protocol) => `${PREFIX}${protocol}`),
    sessionUri: (address) => `${PREFIX}${webSockets.sessionUri(address)}`,
    connect(uri, options) {
      const url = uri.slice(PREFIX.length);
      return createHybridTransport(url, () => webSockets.connect(url, { ...options, greetIn: 'url' }), options);
    },
  };
}
