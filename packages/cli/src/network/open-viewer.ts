import { connect, type Cursor, type Transport } from '@proto/core/transport';
import { type Fetch, sseScheme, type SseSchemeOptions } from '@proto/transport-sse';
import { type OpenSocket, webSocketScheme, type WebSocketSchemeOptions } from '@proto/transport-websocket';
import { openSocket } from '@proto/transport-websocket/node';

/** By which kind of link a session is reached first; the other one is there when that does not work. */
export type LinkKind = 'ws' | 'sse';

/** Which session to follow, and how. */
export interface OpenViewerOptions {
  /** `http://HOST/v1/code/sessions/ID` */
  readonly url: string;
  readonly prefer: LinkKind;
  readonly cursor?: Cursor | undefined;
  /** Asked for each link; absent where none is needed. */
  readonly token: (() => Promise<string>) | undefined;
  /** How long a link may be away, in milliseconds, until the other kind is tried. */
  readonly fallbackAfterMs?: number;
  /** Default: that of `ws`. */
  readonly open?: OpenSocket;
  /** Default: that of the platform. */
  readonly fetch?: Fetch;
}

const ORDER = { ws: ['websocket', 'sse'], sse: ['sse', 'websocket'] } as const;

/** Follows a session of a server as one of its clients. */
export function openViewer(options: OpenViewerOptions): Transport {
  const { url, prefer, cursor, token, fallbackAfterMs, open = openSocket, fetch } = options;
  return connect<WebSocketSchemeOptions & SseSchemeOptions>({
    url,
    prefer: ORDER[prefer],
    schemes: [webSocketScheme, sseScheme],
    options: {
      open,
      ...(fetch !== undefined && { fetch }),
      ...(token !== undefined && { token, credential: token }),
    },
    ...(cursor !== undefined && { cursor }),
    ...(fallbackAfterMs !== undefined && { fallbackAfterMs }),
  });
}
