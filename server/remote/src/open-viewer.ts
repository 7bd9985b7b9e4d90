import { incomingOf, mapIncoming } from '@proto/core/internal';
import type { ClientOptions } from '@proto/core/reconnect';
import { settledRequestOf } from '@proto/core/network';
import { connectSession, type Cursor, type Incoming, type Transport } from '@proto/core/transport';
import { type Fetch, sseScheme, type SseSchemeOptions } from '@proto/transport-sse';
import { type OpenSocket, webSocketScheme, type WebSocketSchemeOptions } from '@proto/transport-websocket';
import { openSocket } from '@proto/transport-websocket/node';
import type { LinkKind } from './session-address.ts';

/** Which session to follow, and over which links. */
export interface OpenViewerOptions {
  /** `http://HOST/v1/code/sessions/ID` */
  readonly url: string;
  /** The kind of link that is tried first. The other kind is tried when the first does not work. */
  readonly prefer: LinkKind;
  /** The event after which to go on. Default: the beginning of the log. */
  readonly cursor?: Cursor | undefined;
  /** The token, or a function that returns it for each link. Default: no token is sent. */
  readonly credential?: ClientOptions['credential'];
  /** How long a link may be down before the other kind is tried, in milliseconds. Default 10 000. */
  readonly fallbackAfterMs?: number;
  /** Opens a socket. Default: that of `ws`. */
  readonly open?: OpenSocket;
  /** Sends a request. Default: that of the platform. */
  readonly fetch?: Fetch;
}

const ORDER = { ws: ['websocket', 'sse'], sse: ['sse', 'websocket'] } as const;

/**
 * Follows a session of a server as one of its viewers: reads what is said there, and sends to its agent.
 *
 * @example
 * ```ts
 * import { createHostSession } from '@proto/host';
 * import { openViewer } from '@proto/remote';
 *
 * const url = 'https://agents.example/v1/code/sessions/cse_1';
 * const host = createHostSession(openViewer({ url, prefer: 'ws', credential: () => 'the-token-of-alice' }));
 * ```
 */
export function openViewer(options: OpenViewerOptions): Transport {
  const { url, prefer, cursor, credential, fallbackAfterMs, open = openSocket, fetch } = options;
  return connectSession<WebSocketSchemeOptions & SseSchemeOptions>({
    url,
    prefer: ORDER[prefer],
    schemes: [webSocketScheme, sseScheme],
    options: {
      open,
      ...(fetch !== undefined && { fetch }),
      ...(credential !== undefined && { credential }),
    },
    ...(cursor !== undefined && { cursor }),
    ...(fallbackAfterMs !== undefined && { fallbackAfterMs }),
  });
}

/**
 * Turns the notice that another client has answered a request of the agent into a cancel of that request, for a host that reads lines: a line cannot
 * hold a notice. A cancel of a request that is over, or that the host never got, does nothing.
 */
export function withCancels(viewer: Transport): Transport {
  return mapIncoming(viewer, (item) => [asCancel(item)]);
}

function asCancel(item: Incoming): Incoming {
  if (item.kind !== 'notice') return item;
  const settled = settledRequestOf(item.event, item.data);
  // A request that the agent has taken back has its cancel already.
  if (settled?.isAnswered !== true) return item;
  return incomingOf({ type: 'control_cancel_request', request_id: settled.requestId }, item);
}
