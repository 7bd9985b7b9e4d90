import type { AttemptReason, ClientOptions, RetryOptions } from '@proto/core/reconnect';
import { askFor, askForCredential } from '@proto/core/network';
import type { Cursor } from '@proto/core/transport';
import type { ConnectionOptions } from '../connection-options.ts';
import { authLine } from './auth-line.ts';
import {
  GREETING_PARAMETER,
  type OpenSocket,
  RESUMABLE_PROTOCOL,
  type SocketLike,
  type SocketRequest,
} from '../socket/socket.ts';

/** Where to connect, and what to do if a link breaks. */
export interface WebSocketClientOptions extends ClientOptions, ConnectionOptions, RetryOptions {
  /**
   * Where the token is sent: in the header `Authorization: Bearer`, or in the first frame. Use `frame` on platforms whose sockets cannot send
   * headers. Default: the first frame if the platform's `WebSocket` is used, otherwise the header.
   */
  readonly tokenIn?: 'header' | 'frame';
  /**
   * Where the greeting of `sjp.v1` is sent. With `frame`, it is sent in the first frame. With `url`, it is also sent in the query of the address, so
   * that a server that reads it there begins to send even if nothing arrives over the socket. Default `frame`.
   */
  readonly greetIn?: 'frame' | 'url';
  /** Opens a socket. Default: the platform's `WebSocket`. The `openSocket` of `@proto/transport-websocket/node` supports headers and proxies. */
  readonly open?: OpenSocket;
  /** The subprotocols that the server must choose from. Default: `sjp.v1`. If the server does not know `sjp.v1`, plain lines are used. */
  readonly protocols?: readonly string[];
  /** The position up to which an earlier process had acknowledged messages. */
  readonly cursor?: Cursor;
}

export interface AttemptRequest {
  readonly request: SocketRequest;
  /** Contains the token if the upgrade request cannot contain it. */
  readonly firstFrame: string | undefined;
}

export interface AttemptOffer {
  readonly reason: AttemptReason;
  /** The subprotocols to offer, unless the options name other subprotocols. */
  readonly protocols: readonly string[];
  readonly greeting: string;
}

export async function requestOf(options: WebSocketClientOptions, offer: AttemptOffer): Promise<AttemptRequest> {
  const { reason, greeting } = offer;
  const { url, headers, credential, protocols = offer.protocols, greetIn } = options;
  const { tokenIn = options.open === undefined ? 'frame' : 'header' } = options;
  const asked = [askFor(url, reason), askFor(headers, reason), askForCredential(credential, reason)] as const;
  const [address, own, { token } = {}] = await Promise.all(asked);
  const isFramed = token !== undefined && tokenIn === 'frame';
  const authorization = token === undefined || isFramed ? {} : { Authorization: `Bearer ${token}` };
  const isGreeting = greetIn === 'url' && protocols.includes(RESUMABLE_PROTOCOL);
  const target = isGreeting ? withGreeting(String(address), greeting) : String(address);
  const request = { url: target, headers: { ...own, ...authorization }, protocols };
  return { request, firstFrame: isFramed ? authLine(token) : undefined };
}

function withGreeting(address: string, greeting: string): string {
  const [path = '', ...fragment] = address.split('#');
  const greeted = `${path}${path.includes('?') ? '&' : '?'}${GREETING_PARAMETER}=${encodeURIComponent(greeting)}`;
  return [greeted, ...fragment].join('#');
}

type WebSocketConstructor = new (url: string, protocols: string[]) => SocketLike;

/**
 * Opens the platform's `WebSocket`, which cannot send headers. Errors that the platform throws may quote the address.
 * @throws {TypeError} if headers are given, or if the platform has no `WebSocket`
 */
export function openWebSocket({ url, headers, protocols }: SocketRequest): SocketLike {
  const { WebSocket } = globalThis as { WebSocket?: WebSocketConstructor };
  // An attempt without its credential would be refused anyway.
  if (Object.keys(headers).length > 0) {
    throw new TypeError(
      'the WebSocket of this platform cannot send headers: pass `open` from @proto/transport-websocket/node',
    );
  }
  if (WebSocket === undefined) throw new TypeError('this platform has no WebSocket: pass `open`');
  return new WebSocket(url, [...protocols]);
}
