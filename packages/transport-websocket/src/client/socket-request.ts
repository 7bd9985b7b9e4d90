import { askFor, askForCredential, authLine, refuseCredentials, withoutSecrets } from '@proto/core/internal';
import type { AttemptReason, ClientOptions, RetryOptions } from '@proto/core/reconnect';
import type { Cursor } from '@proto/core/transport';
import type { ConnectionOptions } from '../connection-options.ts';
import type { OpenSocket, SocketLike, SocketRequest } from '../socket/socket.ts';

/** Where to connect, and how to go on when a link breaks. */
export interface ReconnectingOptions extends ClientOptions, ConnectionOptions, RetryOptions {
  /**
   * Where the token goes: into `Authorization: Bearer`, or into the first frame, for platforms whose sockets have no headers. Default:
   * the first frame if the `WebSocket` of the platform is used, else the header.
   */
  readonly tokenIn?: 'header' | 'frame';
  /** Opens a socket. Default: the `WebSocket` of the platform; `@proto/transport-websocket/node` has one with headers and proxies. */
  readonly open?: OpenSocket;
  /** The subprotocols that the server must choose from. Default: `sjp.v1`, and plain lines with a server that does not know it. */
  readonly protocols?: readonly string[];
  /** What an earlier process had acknowledged. */
  readonly cursor?: Cursor;
}

/** What one attempt opens its socket with. */
export interface AttemptRequest {
  readonly request: SocketRequest;
  /** The first frame, if the upgrade cannot carry the token. */
  readonly firstFrame: string | undefined;
}

/** Asks the options what to open the socket of an attempt with. `offered` are the subprotocols, unless the options name some. */
export async function requestOf(
  options: ReconnectingOptions,
  reason: AttemptReason,
  offered: readonly string[],
): Promise<AttemptRequest> {
  const { url, headers, credential, protocols = offered } = options;
  const { tokenIn = options.open === undefined ? 'frame' : 'header' } = options;
  const asked = [askFor(url, reason), askFor(headers, reason), askForCredential(credential, reason)] as const;
  const [address, own, { token } = {}] = await Promise.all(asked);
  const isFramed = token !== undefined && tokenIn === 'frame';
  const authorization = token === undefined || isFramed ? {} : { Authorization: `Bearer ${token}` };
  const request = { url: String(address), headers: { ...own, ...authorization }, protocols };
  return { request, firstFrame: isFramed ? authLine(token) : undefined };
}

type WebSocketConstructor = new (url: string, protocols: string[]) => SocketLike;

/** Opens the `WebSocket` of the platform, which cannot send headers. Throws if headers are given, or if there is no `WebSocket`. */
export function openWebSocket({ url, headers, protocols }: SocketRequest): SocketLike {
  const { WebSocket } = globalThis as { WebSocket?: WebSocketConstructor };
  // Without its credential an attempt would only be refused.
  if (Object.keys(headers).length > 0) {
    throw new TypeError(
      'the WebSocket of this platform sends no headers: pass `open` of @proto/transport-websocket/node',
    );
  }
  if (WebSocket === undefined) throw new TypeError('there is no WebSocket here: pass `open`');
  refuseCredentials(url);
  try {
    return new WebSocket(url, [...protocols]);
  } catch (error) {
    // The error quotes the address, or the subprotocol that was offered.
    throw withoutSecrets(error, { url, others: protocols });
  }
}
