import { TransportError, type TransportErrorCode, withoutSecrets } from '@proto/core/transport';
import type { LinkEnd } from './socket-link.ts';

/** Why a link that was up, or was to come up, is not: worth another one. `hint` says to a person what the end means. */
export function lostError(end: LinkEnd, wasUp: boolean, hint?: string): TransportError {
  return errorOf(end, end.silent ? 'timeout' : wasUp ? 'lost' : 'connect-failed', true, hint);
}

/** The other side does not want this client, now or later. */
export function rejectedError(end: LinkEnd, hint: string): TransportError {
  return errorOf(end, 'rejected', false, hint);
}

function errorOf(end: LinkEnd, code: TransportErrorCode, retryable: boolean, hint?: string): TransportError {
  const { status = end.code, cause } = end;
  const what = end.status === undefined ? `closed with ${status}` : `refused with status ${status}`;
  const text = end.silent ? 'nothing was heard for too long' : hint === undefined ? what : `${what}: ${hint}`;
  // What a socket throws may quote its address.
  const why = cause === undefined ? {} : { cause: TransportError.is(cause) ? cause : withoutSecrets(cause) };
  return new TransportError(code, `websocket: ${text}`, { status, retryable, ...why });
}
