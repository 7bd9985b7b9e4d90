import type { AttemptReason, ClientOptions, RetryOptions } from '@proto/core/reconnect';
import { askFor, askForCredential, refuseCredentials, withoutSecrets } from '@proto/core/network';
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

/** Where to connect, and how to go on when a link breaks. */
export interface WebSocketClientOptions extends ClientOptions, ConnectionOptions, RetryOptions {
  /**
   * Where the token goes: into `Authorization: Bearer`, or into the first frame, for platforms whose sockets have no headers. Default:
   * the first frame if the `WebSocket` of the platform is used, else the header.
   */
  readonly tokenIn?: 'header' | 'frame';
  /**
   * Whether the greeting of `sjp.v1` also goes into the query of the address, so that a server which takes it from there begins to send although nothing
   * arrives from the socket. Default `frame`: not.
   */
  readonly greetIn?: 'frame' | 'url';
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

/** What an attempt offers the server. */
export interface AttemptOffer {
  readonly reason: AttemptReason;
  /** The subprotocols, unless the options name some. */
  readonly protocols: readonly string[];
  /** The greeting of the link, as JSON. */
  readonly greeting: string;
}

/** Asks the options what to open the socket of an attempt with. */
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

/** Adds the greeting to the query of an address. The rest of the address stays as it is. */
function withGreeting(address: string, greeting: string): string {
  const [path = '', ...fragment] = address.split('#');
  const greeted = `${path}${path.includes('?') ? '&' : '?'}${GREETING_PARAMETER}=${encodeURIComponent(greeting)}`;
  return [greeted, ...fragment].join('#');
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
