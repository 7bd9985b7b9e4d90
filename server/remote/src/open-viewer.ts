import { incomingOf, mapIncoming } from '@proto/core/internal';
import type { ClientOptions } from '@proto/core/reconnect';
import { settledRequestOf } from '@proto/core/network';
import { connectSession, type Cursor, type Incoming, type Transport } from '@proto/core/transport';
import { type Fetch, sseScheme, type SseSchemeOptions } from '@proto/transport-sse';
import { type OpenSocket, webSocketScheme, type WebSocketSchemeOptions } from '@proto/transport-websocket';
import type { LinkKind } from './session-address.ts';

/** Which session to follow, and over which kinds of link. */
export interface OpenViewerOptions {
  /** The address of the session: `http://HOST/v1/code/sessions/ID`. */
  readonly url: string;
  /** The kind of link to try first. If this kind does not work, the other kind is tried. */
  readonly prefer: LinkKind;
  /** The event after which to continue. Default: the beginning of the log. */
  readonly cursor?: Cursor | undefined;
  /** The token, or a function that returns it for each link. Default: no token is sent. */
  readonly credential?: ClientOptions['credential'];
  /** How long a link may be down before the other kind is tried, in milliseconds. Default 10 000. */
  readonly fallbackAfterMs?: number;
  /** Opens a socket. Default: the `ws` package in Node, and the platform's `WebSocket` elsewhere. */
  readonly open?: OpenSocket;
  /** Sends a request. Default: the platform's `fetch`. */
  readonly fetch?: Fetch;
}

const ORDER = { ws: ['websocket', 'sse'], sse: ['sse', 'websocket'] } as const;

/**
 * Follows a session on a server as one of its viewers: reads the messages in the session, and sends messages to its agent.
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
  const { url, prefer, cursor, credential, fallbackAfterMs, open, fetch } = options;
  return connectSession<WebSocketSchemeOptions & SseSchemeOptions>({
    url,
    prefer: ORDER[prefer],
    schemes: [webSocketScheme, sseScheme],
    options: {
      ...(open !== undefined && { open }),
      ...(fetch !== undefined && { fetch }),
      ...(credential !== undefined && { credential }),
    },
    ...(cursor !== undefined && { cursor }),
    ...(fallbackAfterMs !== undefined && { fallbackAfterMs }),
  });
}

/**
 * Converts the notice that another client has answered an agent's request to a cancel of that request. A host that reads lines needs this conversion,
 * because a line cannot contain a notice. A cancel has no effect if the request is already over or the host never received it.
 */
export function withCancels(viewer: Transport): Transport {
  return mapIncoming(viewer, (item) => [asCancel(item)]);
}

function asCancel(item: Incoming): Incoming {
  if (item.kind !== 'notice') return item;
  const settled = settledRequestOf(item.event, item.data);
  // If the agent itself cancelled the request, the host has already received the cancel.
  if (settled?.isAnswered !== true) return item;
  return incomingOf({ type: 'control_cancel_request', request_id: settled.requestId }, item);
}
