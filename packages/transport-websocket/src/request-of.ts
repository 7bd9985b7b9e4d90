import { askFor, askForCredential, type AttemptReason, authLine } from '@proto/core/internal';
import type { ReconnectingOptions } from './reconnecting-options.ts';
import type { SocketRequest } from './socket.ts';

/** What opens the socket of an attempt, and the first frame of one whose upgrade cannot carry the token. */
export async function requestOf(
  options: ReconnectingOptions,
  reason: AttemptReason,
  offered: readonly string[],
): Promise<[request: SocketRequest, credential: string | undefined]> {
  const { url, headers, credential, protocols = offered } = options;
  const { tokenIn = options.open === undefined ? 'frame' : 'header' } = options;
  const asked = [askFor(url, reason), askFor(headers, reason), askForCredential(credential, reason)] as const;
  const [address, own, { token: bearer } = {}] = await Promise.all(asked);
  const framed = bearer !== undefined && tokenIn === 'frame';
  const authorization = bearer === undefined || framed ? {} : { Authorization: `Bearer ${bearer}` };
  const request = { url: String(address), headers: { ...own, ...authorization }, protocols };
  return [request, framed ? authLine(bearer) : undefined];
}
