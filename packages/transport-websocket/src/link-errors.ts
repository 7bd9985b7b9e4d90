import { TransportError, type TransportErrorCode } from '@proto/core/transport';
import { type CloseMeaning, meaningOfClose, meaningOfStatus } from './close-codes.ts';
import type { LinkEnd } from './socket-link.ts';

/** What the end of a link means. */
export function meaningOf({ status, code }: LinkEnd): CloseMeaning {
  return status === undefined ? meaningOfClose(code) : meaningOfStatus(status);
}

/** Why a link that was up, or was to come up, is not: worth another one. */
export function lostError(end: LinkEnd, wasUp: boolean): TransportError {
  return errorOf(end, end.silent ? 'timeout' : wasUp ? 'lost' : 'connect-failed', true);
}

/** The other side does not want this client, now or later. */
export function rejectedError(end: LinkEnd): TransportError {
  return errorOf(end, 'rejected', false);
}

function errorOf(end: LinkEnd, code: TransportErrorCode, retryable: boolean): TransportError {
  const { status = end.code, cause } = end;
  const what = end.status === undefined ? `closed with ${status}` : `refused with status ${status}`;
  const text = end.silent ? 'nothing was heard for too long' : `${what}: ${meaningOf(end).hint}`;
  return new TransportError(code, `websocket: ${text}`, { status, retryable, ...(cause !== undefined && { cause }) });
}
