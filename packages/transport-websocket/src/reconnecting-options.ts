import type { ClientOptions } from '@proto/core/internal';
import type { Cursor, RetryOptions } from '@proto/core/transport';
import type { LinkDriverOptions } from './link-driver-options.ts';
import type { OpenSocket } from './socket.ts';

/** Where to connect and how to go on. */
export interface ReconnectingOptions extends ClientOptions, LinkDriverOptions, RetryOptions {
  /**
   * Where the token goes: into `Authorization: Bearer`, or into the first frame, for platforms whose sockets have no headers. Default:
   * the first frame where the `WebSocket` of the platform is used.
   */
  readonly tokenIn?: 'header' | 'frame';
  /** Opens a socket. Default: the `WebSocket` of the platform; `@proto/transport-websocket/node` has one with headers and proxies. */
  readonly open?: OpenSocket;
  /** What is offered, and insisted on. Default: the resumable mode, and bare lines with a server that does not know it. */
  readonly protocols?: readonly string[];
  /** What an earlier process had acknowledged. */
  readonly cursor?: Cursor;
}
