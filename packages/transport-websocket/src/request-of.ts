import { authLine } from '@proto/core/internal';
import type { Attempt, PerAttempt, ReconnectingOptions } from './reconnecting-options.ts';
import type { SocketRequest } from './socket.ts';

/** What opens the socket of an attempt, and the first frame of one whose upgrade cannot carry the token. */
export async function requestOf(
  options: ReconnectingOptions,
  attempt: Attempt,
  offered: readonly string[],
): Promise<[request: SocketRequest, credential: string | undefined]> {
  const { url, headers, token, protocols = offered } = options;
  const { tokenIn = options.open === undefined ? 'frame' : 'header' } = options;
  const [address, own, bearer] = await Promise.all([ask(url, attempt), ask(headers, attempt), ask(token, attempt)]);
  const framed = bearer !== undefined && tokenIn === 'frame';
  const authorization = bearer === undefined || framed ? {} : { Authorization: `Bearer ${bearer}` };
  const request = { url: String(address), headers: { ...own, ...authorization }, protocols };
  return [request, framed ? authLine(bearer) : undefined];
}

async function ask<T>(value: PerAttempt<T> | undefined, attempt: Attempt): Promise<T | undefined> {
  return typeof value === 'function' ? (value as (attempt: Attempt) => T | Promise<T>)(attempt) : value;
}
