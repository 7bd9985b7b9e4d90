import type { Cursor, RetryOptions } from '@proto/core/transport';
import type { LinkDriverOptions } from './link-driver-options.ts';
import type { OpenSocket } from './socket.ts';

/** What the functions that are asked on each attempt may want to know. */
export interface Attempt {
  /** Since the link was last up, from 1. */
  readonly number: number;
  /** `refused` when the last credential was: a stored one is no use. */
  readonly reason: 'first' | 'lost' | 'refused';
}

/** A value, or a function that gives it, now or later, and is asked on each attempt. */
export type PerAttempt<T> = T | ((attempt: Attempt) => T | Promise<T>);

/** Where to connect and how to go on. */
export interface ReconnectingOptions extends LinkDriverOptions, RetryOptions {
  readonly url: PerAttempt<string | URL>;
  /** Where the platform lets a client set headers: browsers do not. */
  readonly headers?: PerAttempt<Readonly<Record<string, string>>>;
  /** None is sent without one. */
  readonly token?: PerAttempt<string | undefined>;
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
